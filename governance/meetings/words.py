"""The words of meetings: states, faults of an import, moments."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from governance.meetings.presence import Stretch
from governance.meetings.reading import Fault, Problem
from governance.models import Meeting, Minutes

TONES = {
    Minutes.State.SUBMITTED: "open",
    Minutes.State.PROPOSED: "solid",
    Minutes.State.APPROVED: "good",
    Minutes.State.REFUSED: "bad",
}


def in_words(moment: datetime) -> str:
    """`20 November 2026`."""
    return formats.date_format(timezone.localtime(moment), "j F Y")


def state(meeting: Meeting, at: datetime) -> tuple[str, str]:
    """Where the meeting stands, and the tone of its badge."""
    if meeting.is_cancelled:
        return _("Cancelled"), "bad"
    if meeting.announced_at is None:
        return _("Being planned"), "open"
    if at < meeting.begins_at:
        return _("Announced"), "info"
    if not meeting.is_over(at):
        return _("Under way"), "solid"
    return _("Held"), ""


def problem(found: Problem) -> str:
    """What is wrong with a line of a file, and what to write instead."""
    return _("Line %(line)s: %(words)s") % {
        "line": found.line,
        "words": _fault(found.fault) % {"value": found.value},
    }


def _fault(fault: Fault) -> str:
    return {
        Fault.NO_TITLE: _("the file begins with “# ” and the title of the meeting."),
        Fault.MISSING: _("“- %(value)s: …” is missing beneath the title."),
        Fault.NOT_A_MOMENT: _("“%(value)s” is no moment; write 2026-11-20 14:00 UTC."),
        Fault.NOT_A_TIME: _("“%(value)s” is no time; write 14:05."),
        Fault.NOT_A_NUMBER: _("“%(value)s” is no number of minutes, 1 to 999."),
        Fault.NOT_A_SESSION: _("a session is “closed” or “open”, not “%(value)s”."),
        Fault.NOT_A_SALT: _("a salt has 32 hexadecimal digits; leave the line as it was."),
        Fault.NOT_A_SEAL: _("a seal has 64 hexadecimal digits; leave the line as it was."),
        Fault.NOT_A_SPAN: _("“%(value)s” is no time outside; write 14:20–14:40."),
        Fault.ENDS_FIRST: _("the meeting ends before it begins."),
        Fault.NOT_A_ROW: _(
            "a row of the attendance has five cells: name, seat, attendance, arrived, left; a sixth"
            " one says when somebody was outside meanwhile."
        ),
        Fault.NOT_A_KIND: _("“%(value)s” is not present, absent, excused, observer or secretary."),
        Fault.ABSENT_WITH_TIMES: _("%(value)s was not there and has times."),
        Fault.NOT_FILED: _(
            "a row of the written consents has four cells: resolution, what was decided, effective,"
            " SHA-256 of the text."
        ),
        Fault.TWICE: _("“%(value)s” stands here twice."),
        Fault.NOT_A_TASK: _(
            "an action item is “- [ ] **Name** (due 2026-12-01): what is to be done”."
        ),
        Fault.NOT_A_DATE: _("“%(value)s” is no day; write 2026-12-01."),
        Fault.HEADING: _("“%(value)s” cannot stand here; within an item headings begin with ###."),
        Fault.OPEN_CODE: _("code that begins with ``` is never closed."),
        Fault.STRAY: _("“%(value)s” belongs to no item; items begin with “## 1. ” and a title."),
    }[fault]


def lost_quorum(stretch: Stretch, quorum: int) -> str:
    """When too few voters were there."""
    named: dict[str, object] = {"count": stretch.count, "quorum": quorum}
    if stretch.since is None:
        return _("From the beginning %(count)s were there; the quorum is %(quorum)s.") % named
    named["when"] = timezone.localtime(stretch.since).strftime("%H:%M")
    return _("From %(when)s %(count)s were there; the quorum is %(quorum)s.") % named
