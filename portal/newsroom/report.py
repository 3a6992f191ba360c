"""The draft of a quarterly report: a title, one sentence with the main numbers, the tables."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.lib import languages
from portal.news.actions.announcement import Text
from portal.news.models import Kind
from portal.news.quarter import Quarter
from portal.news.tables import Table, document


@languages.for_the_record
def text(quarter: Quarter, tables: Sequence[Table]) -> Text:
    named = {"number": quarter.number, "year": quarter.year, "name": settings.FOUNDATION_NAME}
    opening = _("What the %(name)s did from %(first)s to %(last)s, in numbers.") % {
        **named,
        "first": formats.date_format(quarter.first_day, "j F"),
        "last": formats.date_format(quarter.last_day, "j F Y"),
    }
    return Text(
        kind=Kind.REPORT,
        title=_("Report of quarter %(number)s of %(year)s") % named,
        summary=_summary(tables),
        body=f"{opening}\n\n{document(tables)}",
    )


def _summary(tables: Sequence[Table]) -> str:
    by_title = {table.title: table for table in tables}
    releases, supporters = len(tables[0].rows), _sum(tables[1], 1)
    resolutions = len(by_title[_("Resolutions")].rows)
    parts = [
        ngettext("%(number)s release", "%(number)s releases", releases) % {"number": releases},
        ngettext("%(number)s new supporter", "%(number)s new supporters", supporters)
        % {"number": supporters},
        ngettext("%(number)s resolution", "%(number)s resolutions", resolutions)
        % {"number": resolutions},
    ]
    return _("%(releases)s, %(supporters)s, %(resolutions)s, and what came in.") % {
        "releases": parts[0],
        "supporters": parts[1],
        "resolutions": parts[2],
    }


def _sum(table: Table, column: int) -> int:
    return sum(int(row[column]) for row in table.rows)
