"""The letters around a meeting, promised in the transaction of the act they tell of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from governance.meetings import calendars
from governance.models import ActionItem, Meeting, Minutes, SeatTerm
from portal.accounts.models import User
from portal.lib import languages, outbox


def announced(meeting: Meeting, *, at: datetime) -> None:
    _to_all(meeting, "meeting_announced", at)


def changed(meeting: Meeting, *, at: datetime) -> None:
    _to_all(meeting, "meeting_changed", at)


def cancelled(meeting: Meeting, *, at: datetime) -> None:
    _to_all(meeting, "meeting_cancelled", at)


def reminder(meeting: Meeting, *, at: datetime) -> None:
    _to_all(meeting, "meeting_reminder", at)


def minutes_submitted(minutes: Minutes, *, at: datetime) -> None:
    """To those who vote on them."""
    outbox.enqueue_all(
        _letter("minutes_submitted", minutes.meeting, person, minutes.number, minutes=minutes)
        for person in _seated(minutes.meeting, at, voting=True)
    )


def assigned(item: ActionItem) -> None:
    _of_item("action_assigned", item, "")


def due_soon(item: ActionItem) -> None:
    _of_item("action_due", item, str(item.due))


def overdue(item: ActionItem) -> None:
    _of_item("action_overdue", item, str(item.due))


def _to_all(meeting: Meeting, template: str, at: datetime) -> None:
    """To everybody with a seat on that day, each once for each state of the meeting."""
    with languages.of_record():  # one event for all of them, which calendars keep
        event = calendars.write(meeting.title, [meeting], for_insiders=True)
    outbox.enqueue_all(
        _letter(template, meeting, person, meeting.revision, calendar=event)
        for person in _seated(meeting, at)
    )


def _seated(meeting: Meeting, at: datetime, *, voting: bool = False) -> list[User]:
    terms = SeatTerm.objects.seated_on(timezone.localdate(at)).filter(seat__body=meeting.body_id)
    found = (terms.voting() if voting else terms).select_related("user").order_by("seat__number")
    return list({term.user_id: term.user for term in found}.values())


def _of_item(template: str, item: ActionItem, state: str) -> None:
    if item.owner is not None:
        outbox.enqueue_all(
            [_letter(template, item.meeting, item.owner, f"{item.pk}:{state}", item=item)]
        )


def _letter(
    template: str,
    meeting: Meeting,
    person: User,
    state: object,
    *,
    calendar: str = "",
    **context: Any,
) -> outbox.Letter:
    return outbox.Letter(
        to=person.email,
        template=f"governance/{template}",
        context={
            "meeting": meeting,
            "person": person,
            "link": settings.BASE_URL + meeting.get_absolute_url(),
            **context,
        },
        key=f"{template}:{meeting.pk}:{person.pk}:{state}",
        about=f"meeting:{meeting.slug}",
        calendar=calendar,
    )
