"""How many of those who vote were in the room, from when to when; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Stay:
    """A voter in the room; without a moment from the beginning, or to the end."""

    arrived: datetime | None = None
    left: datetime | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """How many were there from one moment on; the first begins with the meeting (None)."""

    since: datetime | None
    count: int


def stays(arrived: datetime | None, left: datetime | None, outings: Iterable[Span]) -> list[Stay]:
    """The stays of somebody who went out and was back, so often as `outings` tell."""
    found = []
    for out, back in sorted(outings):
        found.append(Stay(arrived, out))
        arrived = back
    return [*found, Stay(arrived, left)]


def moments(stays: Iterable[Stay]) -> list[datetime]:
    """Every arrival and departure, as they are told to follow each other."""
    return [at for stay in stays for at in (stay.arrived, stay.left) if at]


def follow_each_other(stays: Iterable[Stay]) -> bool:
    """Whether everybody leaves after they came, and comes back after they left."""
    return all(earlier < later for earlier, later in pairwise(moments(stays)))


def presence(stays: Sequence[Stay]) -> list[Stretch]:
    """The count from the beginning, and after each arrival and departure that changed it."""
    stretches = [Stretch(None, sum(stay.arrived is None for stay in stays))]
    for moment in sorted(set(moments(stays))):
        count = sum(is_there(stay, moment) for stay in stays)
        if count != stretches[-1].count:
            stretches.append(Stretch(moment, count))
    return stretches


def without_quorum(stretches: Sequence[Stretch], quorum: int) -> list[Stretch]:
    """The stretches in which too few were there to decide anything."""
    return [stretch for stretch in stretches if stretch.count < quorum]


def is_there(stay: Stay, moment: datetime) -> bool:
    """Whether somebody is in the room at that moment: from the arrival on, until the departure."""
    return (stay.arrived is None or stay.arrived <= moment) and (
        stay.left is None or moment < stay.left
    )
