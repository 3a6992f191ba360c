"""PDF files on A4 in the portal's font; pure apart from reading it."""

from django.utils.translation import gettext as _
from fpdf import FPDF

from portal.lib.pdf_letters import FONTS, printed

FONT = "Liberation Sans"
MARGIN = 22  # millimetres, as the next three
NAMES = 60  # the width of what stands on the left of a row
ROW = 7  # the height of one of its lines
NOTE = 6  # and of the small print beneath it
SOFT = (80, 92, 86)
INK = (16, 35, 27)


class Document(FPDF):
    """A page with a heading; `words` and `rows` follow each other downwards.

    Every page says at its foot of what it is a page, and of how many.
    """

    def __init__(self, *, title: str, author: str, foot: str = "", language: str = "en") -> None:
        super().__init__(format="A4")
        self.foot = foot or title
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

    def normalize_text(self, text: str) -> str:
        """fpdf2 asks for it with every text; it would leave a gap for what the font lacks."""
        return str(super().normalize_text(printed(text)))

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
        for place, (name, value) in enumerate(pairs):
            self.row(name, value, bold=last_bold and place == len(pairs) - 1)
        self.ln(5)

    def row(self, name: str, value: str, *, note: str = "", bold: bool = False) -> None:
        """One of them, in small print what belongs to it; never on two pages."""
        self.set_draw_color(*SOFT)
        self.set_font(FONT, "B" if bold else "", 11)
        self.set_text_color(*INK)
        height = self._row_height(name, value) + (NOTE if note else 0)
        if self.will_page_break(height):
            self.add_page()
        top = self.get_y()
        self.multi_cell(NAMES, ROW, name, align="L", new_x="LMARGIN", new_y="NEXT")
        self.set_xy(MARGIN + NAMES, top)
        self.multi_cell(0, ROW, value, align="R", new_x="LMARGIN", new_y="NEXT")
        if note:
            self.set_xy(MARGIN, top + height - NOTE)
            self.set_font(FONT, "", 8)
            self.set_text_color(*SOFT)
            self.cell(0, 4, note)
        self.set_y(top + height)
        self.line(MARGIN, self.get_y(), self.w - MARGIN, self.get_y())
        self.ln(1)

    def _row_height(self, name: str, value: str) -> float:
        return max(ROW, self._height(NAMES, name), self._height(self.epw - NAMES, value))

    def _height(self, width: float, text: str) -> float:
        height = self.multi_cell(width, ROW, text, dry_run=True, output="HEIGHT")
        return float(str(height))

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font(FONT, "", 8)
        self.set_text_color(*SOFT)
        words = {"text": self.foot, "page": self.page_no(), "pages": self.str_alias_nb_pages}
        self.cell(0, 6, _("%(text)s, page %(page)s of %(pages)s") % words, align="L")

    def written(self) -> bytes:
        return bytes(self.output())
