"""Rows of a PDF: what belongs together stands on one page, and each page says which it is."""

from typing import Any

import pytest

from portal.lib.pdf import Document
from portal.lib.pdf_markdown import write_markdown


class Watched(Document):
    """Remembers on which page words were written."""

    def __init__(self, **words: str) -> None:
        self.seen: dict[str, int] = {}
        super().__init__(title="Certificate", author="Example", **words)

    def multi_cell(self, w: float, h: Any = None, text: str = "", *args: Any, **more: Any) -> Any:
        lines = super().multi_cell(w, h, text, *args, **more)
        if not more.get("dry_run"):
            self.seen[text] = self.page_no()  # where it ended
        return lines

    def cell(self, w: Any = None, h: Any = None, text: str = "", *args: Any, **more: Any) -> Any:
        self.seen[text] = self.page_no()
        return super().cell(w, h, text, *args, **more)

    def write(self, h: Any = None, text: str = "", *args: Any, **more: Any) -> Any:
        done = super().write(h, text, *args, **more)
        self.seen[text] = self.page_no()
        return done


@pytest.mark.parametrize("above", range(28, 36))
def test_a_row_with_its_note_is_never_on_two_pages(above: int) -> None:
    document = Watched()
    for number in range(above):
        document.row(f"row {number}", "value")
    document.row("Ines Duarte, " + "of a company with a long name " * 4, "22 Sep", note="sha256 ab")
    pages = {page for text, page in document.seen.items() if text[:4] in ("Ines", "22 S", "sha2")}
    assert len(pages) == 1
    assert document.pages_count <= 2


@pytest.mark.parametrize("above", range(30, 42))
def test_a_heading_stays_with_what_follows_it(above: int) -> None:
    document = Watched()
    write_markdown(document, "\n\n".join([*["Words."] * (above - 12), "## Signing key", "Next."]))
    assert document.seen["Signing key"] == document.seen["Next."]


def test_every_page_says_which_of_how_many_it_is() -> None:
    document = Watched(foot="Certificate 2026-10")
    document.add_page()
    document.written()
    feet = [text for text in document.seen if text.startswith("Certificate 2026-10, page")]
    assert feet == [f"Certificate 2026-10, page {number} of {{nb}}" for number in (1, 2)]
