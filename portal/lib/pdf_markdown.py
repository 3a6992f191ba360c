"""Markdown into a PDF document: headings, paragraphs, lists, quotations, code and tables.

Raw HTML is printed as text, as on pages; pictures leave their words. Italics have no font of their
own and are printed like the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from portal.lib.pdf import FONT, INK, SOFT, Document

PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
SIZE: Final = 10
LINE: Final = 5.2  # millimetres from one line to the next
INDENT: Final = 6
FOLLOWS: Final = 25  # a heading and the first lines beneath it stay together
HEADINGS: Final = {"h1": 15, "h2": 13, "h3": 11}


def write_markdown(document: Document, text: str) -> None:
    """Append the text where the document stands."""
    _Writer(document).blocks(PARSER.parse(text))


class _Writer:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.counters: list[int | None] = []  # of each list around: the next number, or bullets
        self.bold = False
        self.link = ""
        self.size = SIZE
        self.margin = document.l_margin

    def blocks(self, tokens: Sequence[Token]) -> None:
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if token.type == "table_open":
                end = _closing(tokens, place)
                self.table(tokens[place:end])
                place = end
            BLOCKS.get(token.type, _Writer.pass_over)(self, tokens[place])
            place += 1

    def pass_over(self, token: Token) -> None:
        """Containers without a look of their own."""

    # ── blocks ───────────────────────────────────────────────────────────────
    def heading(self, token: Token) -> None:
        self.document.ln(2)
        if self.document.will_page_break(FOLLOWS):
            self.document.add_page()
        self.size, self.bold = HEADINGS.get(token.tag, SIZE), True

    def heading_end(self, token: Token) -> None:
        self.document.ln(self.size * 0.5 + 2)
        self.size, self.bold = SIZE, False

    def paragraph_end(self, token: Token) -> None:
        self.document.ln(LINE if token.hidden else LINE + 2)

    def list_begin(self, token: Token) -> None:
        is_numbered = token.type == "ordered_list_open"
        self.counters.append(int(token.attrGet("start") or 1) if is_numbered else None)

    def list_end(self, token: Token) -> None:
        self.counters.pop()
        if not self.counters:
            self.document.ln(2)

    def item_begin(self, token: Token) -> None:
        number = self.counters[-1]
        mark = "•" if number is None else f"{number}."
        if number is not None:
            self.counters[-1] = number + 1
        self.style()
        self.document.cell(INDENT, LINE, mark)
        self.indent(1)

    def item_end(self, token: Token) -> None:
        self.indent(-1)

    def quote_begin(self, token: Token) -> None:
        self.indent(1)

    def quote_end(self, token: Token) -> None:
        self.indent(-1)

    def code(self, token: Token) -> None:
        self.style(soft=True)
        for line in token.content.rstrip("\n").split("\n"):
            self.document.multi_cell(0, LINE, line or " ", new_x="LMARGIN", new_y="NEXT", align="L")
        self.document.ln(2)

    def rule(self, token: Token) -> None:
        top = self.document.get_y() + 1
        self.document.line(self.document.l_margin, top, self.document.w - self.margin, top)
        self.document.ln(4)

    def indent(self, steps: int) -> None:
        self.document.set_left_margin(self.document.l_margin + steps * INDENT)
        self.document.set_x(self.document.l_margin)

    def table(self, tokens: Sequence[Token]) -> None:
        rows = list(_rows(tokens))
        self.style()
        with self.document.table(line_height=LINE, padding=1, text_align="LEFT") as table:
            for cells in rows:
                row = table.row()
                for cell in cells:
                    row.cell(cell)
        self.document.ln(3)

    # ── words ────────────────────────────────────────────────────────────────
    def inline(self, token: Token) -> None:
        for child in token.children or []:
            self.word(child)

    def word(self, token: Token) -> None:
        if token.type in ("strong_open", "strong_close"):
            self.bold = token.type == "strong_open"
        elif token.type == "link_open":
            self.link = _web_address(str(token.attrGet("href") or ""))
        elif token.type == "link_close":
            self.link = ""
        else:
            self.style()
            self.text(_text(token))

    def text(self, text: str) -> None:
        """From where the line stands: fpdf2 would tear a first word that does not fit there."""
        document, height = self.document, self.size * 0.52
        left = document.w - document.r_margin - document.x - 2 * document.c_margin
        first = re.split(r"\s", text, maxsplit=1)[0]
        if document.x > document.l_margin and document.get_string_width(first) > left:
            document.ln(height)
        document.write(height, text, link=self.link)

    def style(self, *, soft: bool = False) -> None:
        self.document.set_font(FONT, "B" if self.bold else "", self.size)
        self.document.set_text_color(*(SOFT if soft else INK))


def _text(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "hardbreak":
        return "\n"
    return token.content


def _web_address(href: str) -> str:
    """What a reader of the file can follow; places of this site mean nothing there."""
    return href if href.startswith(("https://", "http://", "mailto:")) else ""


def _closing(tokens: Sequence[Token], place: int) -> int:
    return next(n for n in range(place, len(tokens)) if tokens[n].type == "table_close")


def _rows(tokens: Sequence[Token]) -> Iterator[list[str]]:
    cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append("".join(_text(child) for child in token.children or []))
        elif token.type == "tr_close":
            yield cells
            cells = []


BLOCKS: Final[dict[str, Callable[[_Writer, Token], None]]] = {
    "heading_open": _Writer.heading,
    "heading_close": _Writer.heading_end,
    "paragraph_close": _Writer.paragraph_end,
    "bullet_list_open": _Writer.list_begin,
    "ordered_list_open": _Writer.list_begin,
    "bullet_list_close": _Writer.list_end,
    "ordered_list_close": _Writer.list_end,
    "list_item_open": _Writer.item_begin,
    "list_item_close": _Writer.item_end,
    "blockquote_open": _Writer.quote_begin,
    "blockquote_close": _Writer.quote_end,
    "fence": _Writer.code,
    "code_block": _Writer.code,
    "hr": _Writer.rule,
    "inline": _Writer.inline,
}
