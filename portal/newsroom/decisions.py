"""What the bodies decided and where they met in a quarter, as tables of the report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.utils import formats
from django.utils.translation import gettext as _

from governance.meetings.document import CAME
from governance.models import Attendance, Meeting, Minutes, Motion
from portal.news.quarter import Quarter
from portal.news.tables import Cell, Table


def resolutions(quarter: Quarter, at: dt.datetime) -> Table:
    """What was carried, by its number."""
    until = min(quarter.end, at)
    found = Motion.objects.resolutions(at).filter(
        decided_at__gte=quarter.start, decided_at__lt=until, approves__isnull=True
    )
    rows = [
        (motion.resolution, motion.title, str(motion.body), _day(motion.decided_at))
        for motion in found.order_by("year", "number")
    ]
    columns = (_("Resolution"), _("What was decided"), _("Body"), _("Decided"))
    note = "" if rows else _("Nothing was carried.")
    return Table(_("Resolutions"), columns, tuple(rows), note)


def meetings(quarter: Quarter, at: dt.datetime) -> Table:
    """Meetings that took place, and how many of those with a vote came, once that is public."""
    held = Meeting.objects.held(quarter.start, min(quarter.end, at)).filter(ends_at__lte=at)
    found = held.select_related("body").order_by("begins_at", "pk")
    columns = (_("Meeting"), _("Body"), _("Day"), _("Came, of those with a vote"), _("Minutes"))
    rows = tuple(_meetings(list(found), at))
    return Table(_("Meetings"), columns, rows, "" if rows else _("No body met."))


def _meetings(found: list[Meeting], at: dt.datetime) -> Iterator[tuple[Cell, ...]]:
    minuted = set(Minutes.objects.current(at).values_list("meeting_id", flat=True))
    for meeting in found:
        is_public = meeting.pk in minuted
        came = _came(meeting) if is_public else "–"
        state = _("approved") if is_public else _("not approved yet")
        yield (meeting.title, str(meeting.body), _day(meeting.begins_at), came, state)


def _came(meeting: Meeting) -> str:
    voting = Attendance.objects.filter(meeting=meeting, votes=True)
    there = voting.filter(kind__in=[kind.value for kind in CAME])
    return _("%(came)s of %(all)s") % {"came": there.count(), "all": voting.count()}


def _day(moment: dt.datetime | None) -> str:
    return formats.date_format(moment, "j M Y") if moment else ""
