"""A version of bylaws on A4 paper, with bookmarks and its checksum."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from governance.bylaws.text import Item, Kind
from governance.models import Typo, Version
from portal.lib.pdf import FONT, INK, MARGIN, Document

INDENT: Final = 16  # millimetres, for the numbers of clauses
MARKS: Final = re.compile(r"(\*\*|__|`|(?<!\w)[*_]|[*_](?!\w))|\\([^\w\s])")
LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")


class Paper(Document):
    """With clauses beside their numbers."""

    def clause(self, item: Item) -> None:
        self.set_font(FONT, "", 11)
        self.set_text_color(*INK)
        if self.will_page_break(12):
            self.add_page()
        self.set_x(MARGIN)
        self.cell(INDENT, 5.5, item.number if "." in item.number else "")
        self.set_left_margin(MARGIN + INDENT)
        for paragraph in paragraphs(item):
            self.set_x(MARGIN + INDENT)
            self.multi_cell(0, 5.5, paragraph, align="L", new_x="LMARGIN", new_y="NEXT")
            self.ln(1)
        self.set_left_margin(MARGIN)
        self.set_x(MARGIN)
        self.ln(1.5)


def written(version: Version) -> bytes:
    foot = _("%(name)s, version %(number)s") % {
        "name": version.bylaws.name,
        "number": version.number,
    }
    paper = Paper(title=str(version.bylaws), author=settings.FOUNDATION_NAME, foot=foot)
    paper.words(_record(version), soft=True, after=8)
    first = version.items()[0]
    if first.kind is Kind.PREAMBLE:
        paper.words("\n\n".join(paragraphs(first)), after=4)
    for article in version.articles:
        _heading(paper, article.title)
        for clause in article.clauses:
            paper.clause(clause)
    _corrections(paper, version)
    paper.words(_("SHA-256 of the text as adopted:"), size=9, soft=True, after=0)
    paper.words(version.text_sha256, size=9, soft=True)
    return paper.written()


def paragraphs(item: Item) -> list[str]:
    """Markdown as paper shows it: no marks, each line of a list by itself."""
    lines = (MARKS.sub(r"\2", LINK.sub(r"\1 (\2)", line)).strip() for line in item.flow.split("\n"))
    return [line for line in lines if line]


def _record(version: Version) -> str:
    words = {
        "number": version.number,
        "adopted": date_format(version.adopted_on, "j F Y"),
        "effective": date_format(version.effective_on, "j F Y"),
    }
    told = _("Version %(number)s, adopted on %(adopted)s, in force from %(effective)s.") % words
    if version.adopted_by is not None:
        told += " " + _("Resolution %(number)s.") % {"number": version.adopted_by.resolution}
    return told


def _heading(paper: Paper, title: Item) -> None:
    if paper.will_page_break(30):
        paper.add_page()
    words = f"{title.number}. {title.text}"
    paper.start_section(words)
    paper.words(words, size=14, bold=True, after=3)


def _corrections(paper: Paper, version: Version) -> None:
    made: list[Typo] = [typo for typo in version.typos.all() if typo.is_accepted]
    if not made:
        return
    paper.words(_("Corrected spelling"), size=12, bold=True, after=2)
    for typo in made:
        paper.words(f"{typo.clause.lstrip('ac')}: “{typo.wrong}” → “{typo.right}”", size=9, after=1)
    paper.ln(4)
