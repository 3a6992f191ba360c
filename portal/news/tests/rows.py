"""Announcements for tests, made by the actions."""

from __future__ import annotations

import datetime as dt
from itertools import count
from typing import Any

from django.utils import timezone

from portal.accounts.models import User
from portal.news.actions.announcement import Text, drop_draft, write_announcement
from portal.news.actions.publication import schedule_announcement, withdraw_announcement
from portal.news.actions.report import draft_report
from portal.news.models import Announcement, Kind, ReportFigures, State
from portal.news.quarter import Quarter
from portal.news.tables import Table, document

HOUR = dt.timedelta(hours=1)
TABLES = [Table("Downloads", ("Product", "Downloads"), (("ExampleDB", 1200),))]
_numbers = count(1)


def words(slug: str = "", **given: str) -> Text:
    slug = slug or f"news-{next(_numbers)}"
    values = {
        "slug": slug,
        "title": f"About {slug}",
        "summary": "In one sentence.",
        "body": "## Part\n\nThe *text* <script>alert(1)</script>",
    }
    return Text(**{**values, **given})


def written(slug: str = "", published_at: dt.datetime | None = None, **given: Any) -> Announcement:
    return write_announcement(actor=None, text=words(slug, **given), published_at=published_at)


def in_state(state: str, slug: str = "", **given: Any) -> Announcement:
    """One that is in this state now."""
    now, actor = timezone.now(), None
    if state in (State.PUBLISHED, State.WITHDRAWN):
        found = written(slug, now - HOUR, **given)
    else:
        found = written(slug, **given)
    acting: dict[str, Any] = {"actor": actor, "announcement": found}
    if state == State.SCHEDULED:
        return schedule_announcement(seen=1, moment=now + HOUR, at=now, **acting)
    if state == State.WITHDRAWN:
        return withdraw_announcement(reason="A wrong date.", at=now, **acting)
    return drop_draft(at=now, **acting) if state == State.DROPPED else found


def report(quarter: Quarter | None = None, actor: User | None = None) -> ReportFigures:
    """A draft of a quarterly report with one table."""
    found = draft_report(
        actor=actor,
        quarter=quarter or Quarter(2026, 3),
        text=words("", kind=Kind.REPORT, body=f"Words.\n\n{document(TABLES)}"),
        tables=TABLES,
        at=timezone.now(),
    )
    return ReportFigures.objects.get(announcement=found)
