"""PDF files on A4 in the portal's font; pure apart from reading it."""

from pathlib import Path

from fpdf import FPDF

FONTS = Path(__file__).parent / "fonts"
FONT = "Liberation Sans"
MARGIN = 22  # millimetres
SOFT = (80, 92, 86)
INK = (16, 35, 27)


class Document(FPDF):
    """A page with a heading; `lines` and `table` follow each other downwards."""

    def __init__(self, *, title: str, author: str, language: str = "en") -> None:
        super().__init__(format="A4")
        self.add_font(FONT, "", FONTS / "LiberationSans-Regular.ttf")
        self.add_font(FONT, "B", FONTS / "LiberationSans-Bold.ttf")
        self.set_title(title)
        self.set_author(author)
        self.set_lang(language)
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(auto=True, margin=MARGIN)
        self.add_page()
        self.words(author, size=10, soft=True)
        self.words(title, size=20, bold=True, after=6)

    def words(
        self, text: str, *, size: int = 11, bold: bool = False, soft: bool = False, after: int = 2
    ) -> None:
        """A paragraph across the page."""
        self.set_font(FONT, "B" if bold else "", size)
        self.set_text_color(*(SOFT if soft else INK))
        self.multi_cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT", align="L")
        self.ln(after)

    def rows(self, pairs: list[tuple[str, str]], *, last_bold: bool = False) -> None:
        """Names on the left, values on the right, a hairline under each."""
        self.set_draw_color(*SOFT)
        for place, (name, value) in enumerate(pairs):
            bold = "B" if last_bold and place == len(pairs) - 1 else ""
            self.set_font(FONT, bold, 11)
            self.set_text_color(*INK)
            top = self.get_y()
            self.multi_cell(60, 7, name, align="L", new_x="LMARGIN", new_y="NEXT")
            left_end = self.get_y()
            self.set_xy(MARGIN + 60, top)
            self.multi_cell(0, 7, value, align="R", new_x="LMARGIN", new_y="NEXT")
            self.set_y(max(left_end, self.get_y()))
            self.line(MARGIN, self.get_y(), self.w - MARGIN, self.get_y())
            self.ln(1)
        self.ln(5)

    def written(self) -> bytes:
        return bytes(self.output())
