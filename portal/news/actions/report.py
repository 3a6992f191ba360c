"""Quarterly reports: a draft with the figures of a quarter, renewed until it is public."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.db import connection, transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, languages
from portal.news.actions.announcement import (
    NewsError,
    Text,
    change_announcement,
    locked,
    write_announcement,
)
from portal.news.models import Announcement, ReportFigures, State
from portal.news.quarter import Quarter
from portal.news.tables import Table, renewed

SPACE: Final = 0x4E3F5  # of our locks among others of the database


@transaction.atomic
def draft_report(
    *, actor: User | None, quarter: Quarter, text: Text, tables: Sequence[Table], at: dt.datetime
) -> Announcement:
    """A report of the quarter; a second one only when the first was thrown away or withdrawn."""
    _one_at_a_time()
    same = ReportFigures.objects.filter(year=quarter.year, number=quarter.number)
    for kept in same.select_related("announcement"):
        if kept.announcement.state(at) not in (State.DROPPED, State.WITHDRAWN):
            raise NewsError(_("There is a report of this quarter already."))
    announcement = write_announcement(actor=actor, text=text, at=at)
    ReportFigures.objects.create(
        announcement=announcement,
        year=quarter.year,
        number=quarter.number,
        tables=[table.to_json() for table in tables],
        computed_at=at,
    )
    return announcement


@transaction.atomic
def renew_figures(
    *,
    actor: User,
    announcement: Announcement,
    tables: Sequence[Table],
    seen: int,
    at: dt.datetime,
) -> list[str]:
    """Take these figures. Tables in the text that nobody edited are renewed with them; the titles
    of those that were edited come back. Raises NewsError once the report was public.
    """
    current = locked(announcement, seen=seen)
    if current.state(at) not in (State.DRAFT, State.SCHEDULED):
        raise NewsError(_("The report is public: its figures stay as they are."))
    figures = ReportFigures.objects.select_for_update().get(announcement=current)
    text = Text.of(current)
    body, left_alone = renewed(text.body, figures.read(), tables)
    with languages.of_record():
        note = _("Figures computed again")
    change_announcement(
        actor=actor,
        announcement=current,
        text=replace(text, body=body),
        seen=current.version,
        at=at,
        note=note,
    )
    figures.tables = [table.to_json() for table in tables]
    figures.computed_at = at
    figures.save(update_fields=["tables", "computed_at"])
    audit.record(actor=actor, verb="report.renew", subject=current, left_alone=left_alone)
    return left_alone


def _one_at_a_time() -> None:
    """Two editors who begin the same report wait for each other; the second sees the first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SPACE])
