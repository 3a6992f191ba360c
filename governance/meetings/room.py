"""Who with a vote was in a meeting at a moment, by its roll."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from governance.bodies import seating
from governance.clock import in_words
from governance.meetings.document import BEFORE
from governance.models import Body, Meeting, RuleSet
from governance.refusals import Refusal

MOST: Final = 12  # how many meetings a form offers


@dataclass(frozen=True, slots=True)
class Room:
    """The room at a moment: the people, and how many a quorum asks for."""

    meeting: Meeting
    at: datetime
    voters: frozenset[int]  # by their accounts
    seats: int
    needed: int

    @property
    def count(self) -> int:
        return len(self.voters)

    @property
    def has_quorum(self) -> bool:
        return self.count >= self.needed


def room(meeting: Meeting, at: datetime) -> Room:
    summary = seating.summary(meeting.body, meeting.day)
    rows = meeting.attendance.filter(votes=True, user__isnull=False).prefetch_related("outings")
    there = frozenset(row.user_id for row in rows if row.user_id and row.was_there(at))
    return Room(meeting, at, there, summary.seats, summary.quorum)


def not_to_vote_in(meeting: Meeting, at: datetime) -> Refusal | None:
    """Why nothing can have been voted on in that meeting at that moment."""
    if meeting.is_cancelled:
        return Refusal(_("That meeting was cancelled."))
    begins, ends = meeting.opened_at or meeting.begins_at - BEFORE, meeting.closed_at
    if at < begins:
        words = {"when": in_words(meeting.opened_at or meeting.begins_at)}
        return Refusal(_("That is before the meeting, which began on %(when)s.") % words)
    if ends is not None and at > ends:
        words = {"when": in_words(ends)}
        return Refusal(_("That is after the meeting, which was adjourned on %(when)s.") % words)
    if not meeting.attendance.exists():
        return Refusal(_("The roll of that meeting was not called. Note first who was there."))
    return None


def absent_voters(room: Room, rules: RuleSet, voters: Collection[tuple[int, str]]) -> str:
    """The names of those who voted and were not there, unless the rules let them."""
    if rules.absent_may_vote:
        return ""
    return ", ".join(name for user, name in voters if user not in room.voters)


def meetings_of(body: Body, at: datetime) -> list[Meeting]:
    """Those in which something may have been voted on by now, the newest first."""
    begun = Meeting.objects.filter(body=body, cancelled_at=None, begins_at__lte=at + BEFORE)
    return list(begun.order_by("-begins_at")[:MOST])
