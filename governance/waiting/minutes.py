"""Minutes that somebody has to write, or to move that they are approved."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.actions.minutes import not_to_move, not_to_submit
from governance.meetings.access import RUN_BY
from governance.meetings.words import in_words
from governance.models import Body, Meeting, Minutes, SeatTerm
from governance.waiting.waiting import Waiting
from portal.accounts.models import User

LOOK_BACK: Final = timedelta(days=365)


def unwritten(user: User, at: datetime) -> Iterator[Waiting]:
    """Meetings that are over and that an officer has not put on record, or not well enough."""
    seats = SeatTerm.objects.seated_on(timezone.localdate(at)).of(user)
    bodies = seats.filter(seat__office__in=RUN_BY).values("seat__body")
    held = Meeting.objects.filter(body__in=bodies).held(at - LOOK_BACK, at).past(at)
    for meeting in held.select_related("body").prefetch_related("minutes__motion"):
        last = next(iter(meeting.minutes.all()), None)
        if last is None or last.state == Minutes.State.REFUSED:
            yield _of(meeting, last, at)


def _of(meeting: Meeting, last: Minutes | None, at: datetime) -> Waiting:
    """What stands against putting them before the body, or that nothing does."""
    refusal = not_to_submit(meeting, at)
    is_called = meeting.attendance.exists()
    if last is not None:
        act, note = _("Correct the minutes"), _("The body did not approve them.")
    elif refusal is not None:
        act, note = _("Keep the record"), str(refusal)
    else:
        act, note = _("Submit the minutes"), _("They wait to be put before the body.")
    step = "meeting_attendance" if not is_called else "minutes_draft"
    return Waiting(
        act=act,
        title=_title(meeting),
        url=reverse(f"governance:{step}", args=[meeting.slug]),
        place=meeting.body.name,
        note=note,
    )


def unapproved(user: User, at: datetime) -> Iterator[Waiting]:
    """Minutes that somebody with a vote has to move, so that they can stand."""
    mine = Minutes.objects.filter(meeting__body__in=Body.objects.of_voter(user, at), motion=None)
    for minutes in mine.select_related("meeting__body").order_by("submitted_at"):
        if not_to_move(user, minutes, at) is None:
            yield Waiting(
                act=_("Read them, move the approval"),
                title=_title(minutes.meeting),
                url=f"{minutes.get_absolute_url()}#approval",
                place=minutes.meeting.body.name,
                note=_("They stand when a motion of the body has carried them."),
            )


def _title(meeting: Meeting) -> str:
    named = {"title": meeting.title, "day": in_words(meeting.begins_at)}
    return _("Minutes: %(title)s, %(day)s") % named
