"""A quarterly report of the demonstration foundation, with the figures that it has."""

from __future__ import annotations

from datetime import datetime

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.news.actions.announcement import Text
from portal.news.actions.publication import publish_announcement
from portal.news.actions.report import draft_report
from portal.news.models import ReportFigures
from portal.news.quarter import Quarter
from portal.news.tables import document
from portal.newsroom import report
from portal.newsroom.figures import compute

WORDS = """\
The board publishes what was done and what came in, every quarter, line by line. The figures below
are taken from the same records that the rest of this site shows; the file beneath has them for a
spreadsheet.
"""


def load(*, actor: User, at: datetime) -> None:
    """The report of the last quarter that is over."""
    quarter = Quarter.of(at.date()).previous()
    if ReportFigures.objects.filter(year=quarter.year, number=quarter.number).exists():
        return
    heidi = people.person(people.HEIDI)
    tables = compute(quarter, at=at)
    made = report.text(quarter, tables)
    text = Text(
        kind=made.kind,
        title=made.title,
        summary=made.summary,
        byline="The board",
        body=f"{WORDS}\n{document(tables)}",
    )
    draft = draft_report(actor=heidi, quarter=quarter, text=text, tables=tables, at=at)
    publish_announcement(actor=heidi, announcement=draft, seen=1, at=at)
