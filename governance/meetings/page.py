"""What the page of a meeting shows of its record, for one reader."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from governance.bodies import seating
from governance.meetings import words
from governance.meetings.document import CAME, Document, Filed, Item
from governance.meetings.presence import Stay, presence, stays, without_quorum
from governance.models import Attendance, Meeting, Motion
from governance.models.motion_queryset import MotionQuerySet

COME: Final = timedelta(hours=1)  # how long before the beginning the roll can be marked by buttons
STAY: Final = timedelta(hours=3)  # how long after the planned end a meeting may go on


@dataclass(frozen=True, slots=True)
class Shown:
    """An item of the document with its motion, if the reader may see that."""

    item: Item
    motion: Motion | None


def items(document: Document, motions: MotionQuerySet) -> list[Shown]:
    """`motions` are those that the reader may see."""
    slugs = [item.motion for item in document.items if item.motion]
    known = {motion.slug: motion for motion in motions.filter(slug__in=slugs)}
    return [Shown(item, known.get(item.motion)) for item in document.items]


@dataclass(frozen=True, slots=True)
class FiledHere:
    """A written consent that is filed with the minutes, and its motion."""

    filed: Filed
    motion: Motion | None


def consents(document: Document, motions: MotionQuerySet) -> list[FiledHere]:
    """`motions` are those that the reader may see."""
    known = {
        motion.resolution: motion
        for each in document.consents
        for motion in motions.by_reference(each.resolution)
    }
    return [FiledHere(each, known.get(each.resolution)) for each in document.consents]


@dataclass(frozen=True, slots=True)
class Quorum:
    """How many with a vote were there, and whether they were enough all the time."""

    present: int
    seats: int
    needed: int
    gaps: list[str]
    now: int | None = None  # while the meeting goes on: how many are in the room

    @property
    def is_met_now(self) -> bool:
        return self.now is not None and self.now >= self.needed

    @property
    def is_met(self) -> bool:
        return not self.gaps


def quorum(meeting: Meeting, at: datetime) -> Quorum | None:
    """None before the roll was called."""
    rows = list(meeting.attendance.prefetch_related("outings"))
    if not rows:
        return None
    summary = seating.summary(meeting.body, meeting.day)
    stretches = presence(_stays(rows, meeting.opened_at))
    waits = goes_on(meeting, at) and meeting.opened_at is None  # people are still coming in
    gaps = [] if waits else without_quorum(stretches, summary.quorum)
    return Quorum(
        present=sum(row.votes and row.kind in CAME for row in rows),
        seats=summary.seats,
        needed=summary.quorum,
        gaps=[words.lost_quorum(gap, summary.quorum) for gap in gaps],
        now=presence_at(rows, at) if goes_on(meeting, at) else None,
    )


def goes_on(meeting: Meeting, at: datetime) -> bool:
    """Whether people come, are there or may still be: until it is adjourned, or some hours after
    its planned end.
    """
    return meeting.closed_at is None and meeting.begins_at - COME <= at < meeting.ends_at + STAY


def presence_at(rows: list[Attendance], at: datetime) -> int:
    return sum(row.votes and row.was_there(at) for row in rows)


def _stays(rows: list[Attendance], opened: datetime | None) -> list[Stay]:
    """Who was there when the meeting was called to order was there from the beginning."""
    came = [row for row in rows if row.votes and row.kind in CAME]
    return [stay for row in came for stay in stays(_arrived(row, opened), row.left_at, row.spans)]


def _arrived(row: Attendance, opened: datetime | None) -> datetime | None:
    early = opened is not None and row.arrived_at is not None and row.arrived_at <= opened
    return None if early else row.arrived_at
