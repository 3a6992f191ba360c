"""The record of a meeting as a document: what `writing` writes as Markdown and `reading` reads.

Pure. Times are UTC; a time of day belongs to the meeting that begins nearest to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """As what somebody stands in the attendance."""

    PRESENT = "present"
    ABSENT = "absent"
    EXCUSED = "excused"
    OBSERVER = "observer"
    SECRETARY = "secretary"


CAME: Final = frozenset({Kind.PRESENT, Kind.OBSERVER, Kind.SECRETARY})
BEFORE: Final = timedelta(hours=6)  # how early before the planned beginning somebody may arrive


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the roll; `outside` are the times that they left and were back."""

    name: str
    seat: str = ""
    kind: Kind = Kind.PRESENT
    arrived: time | None = None
    left: time | None = None
    outside: tuple[tuple[time, time], ...] = ()


@dataclass(frozen=True, slots=True)
class Filed:
    """A written consent that is filed with these minutes: what took effect since the meeting
    before. `text_sha256` is of the text that was signed.
    """

    resolution: str
    title: str
    effective: datetime
    text_sha256: str


@dataclass(frozen=True, slots=True)
class Task:
    """An action item: who does what, until when."""

    owner: str
    text: str
    due: date | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A point of the agenda. `result` is what its motion came to; readers pass it over. Of a
    closed session the whole text has a `salt`, the published one in place of what was said the
    digest of it (see `sealing`).
    """

    title: str
    about: str = ""
    motion: str = ""
    presenter: str = ""
    minutes: int | None = None
    is_closed: bool = False
    salt: str = ""
    sealed: str = ""
    result: str = ""
    text: str = ""
    tasks: tuple[Task, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    body: str
    begins: datetime
    ends: datetime
    place: str = ""
    opened: time | None = None
    closed: time | None = None
    people: tuple[Person, ...] = ()
    consents: tuple[Filed, ...] = ()
    items: tuple[Item, ...] = ()

    @property
    def somebody_was_outside(self) -> bool:
        return any(person.outside for person in self.people)

    @property
    def has_closed_sessions(self) -> bool:
        return any(item.is_closed for item in self.items)


def moment_of(clock: time, begins: datetime) -> datetime:
    """The moment of a time of day in a meeting: at most six hours before it begins, or after."""
    same_day = datetime.combine(begins.date(), clock, begins.tzinfo)
    earliest = begins - BEFORE
    if same_day < earliest:
        return same_day + timedelta(days=1)
    if same_day - timedelta(days=1) >= earliest:
        return same_day - timedelta(days=1)
    return same_day
