"""Markdown in a PDF: what is read, in which order, on how many pages."""

import re

import pytest

from portal.lib.pdf import Document
from portal.lib.pdf_markdown import write_markdown

TEXT = """\
# Minutes

Some **strong** and *soft* words, a [page](https://example.org/a) and a [place](/here/).
Next line\\
after a break.

1. first
2. second
   - inner
   - other

> quoted

```
code  with   room

end
```

***

| Name | Seat |
|---|---|
| Ines \\| Duarte | seat 1 |

<b>raw</b> ![picture](/a.png)
"""


def written(text: str) -> Document:
    document = Document(title="Title", author="Example")
    document.set_compression(False)
    write_markdown(document, text)
    return document


def links(document: Document) -> list[str]:
    return re.findall(r"/URI \((.*?)\)", document.written().decode("latin-1"))


def test_every_kind_of_block_is_written() -> None:
    document = written(TEXT)
    assert document.l_margin == pytest.approx(22)
    assert document.written().startswith(b"%PDF-")
    assert links(written(TEXT)) == ["https://example.org/a"]


def test_long_texts_run_over_pages_and_wide_words_break() -> None:
    document = written("\n\n".join(["word " * 200] * 12) + "\n\n" + "x" * 400)
    assert document.pages_count > 2
