"""Markdown in a PDF: what is read, in which order, on how many pages."""

import re
from typing import Any

import pytest
from fpdf import FPDF

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


@pytest.mark.parametrize(
    ("between", "end"), [("\n", ""), (" **", "**"), ("\n[", "](https://e.org)")]
)
def test_no_word_is_torn_where_a_piece_of_the_line_begins(
    between: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    render = FPDF._render_styled_text_line

    def keep(self: FPDF, line: Any, *args: Any, **more: Any) -> Any:
        drawn.append("".join("".join(fragment.characters) for fragment in line.fragments))
        return render(self, line, *args, **more)

    monkeypatch.setattr(FPDF, "_render_styled_text_line", keep)
    before = [f"{'a ' * (length // 2)}{'i' * (length % 2)}" for length in range(98, 118)]
    for text in before:  # the word stands in the line still, or begins the next one
        written(f"{text}{between}whiledom{end}")
    assert sum("whiledom" in piece for piece in drawn) == len(before)
