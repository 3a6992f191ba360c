"""When a consensus is reached, when it has to wait, and when it is voted on instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Stance(StrEnum):
    SUPPORT = "support"
    ACCEPT = "accept"  # can live with it
    STAND_ASIDE = "stand_aside"  # takes no part in it, and does not stop it
    OBJECT = "object"  # stops it until it is resolved


class Finding(StrEnum):
    WAIT = "wait"
    REACHED = "reached"
    RESOLVE = "resolve"  # somebody objects: time to resolve it begins
    VOTE = "vote"


@dataclass(frozen=True, slots=True)
class Call:
    """How a consensus was called."""

    counted: int  # participants who are counted; advisers are not
    needed: int  # of them must take part
    ends: datetime
    resolving_until: datetime | None = None  # begun once, when the timer ends with an objection


@dataclass(frozen=True, slots=True)
class Stances:
    """How many of those who are counted say what."""

    support: int = 0
    accept: int = 0
    stand_aside: int = 0
    object: int = 0

    @property
    def taking_part(self) -> int:
        return self.support + self.accept + self.stand_aside + self.object


def count(stances: Iterable[Stance]) -> Stances:
    told = list(stances)
    numbers: Mapping[str, int] = {each.value: told.count(each) for each in Stance}
    return Stances(**numbers)


def find(call: Call, stances: Stances, at: datetime) -> Finding:
    """What follows at that moment. Silence is no consent: enough must take part, and one support.

    When everybody has spoken and nobody objects, nothing is left to wait for; while objections are
    being resolved, nothing is when the last one is gone.
    """
    enough = stances.taking_part >= call.needed and stances.support >= 1
    agreed = enough and not stances.object
    everybody = stances.taking_part >= call.counted
    if agreed and (everybody or call.resolving_until is not None or at >= call.ends):
        return Finding.REACHED
    if at < call.ends:
        return Finding.WAIT
    if call.resolving_until is None:
        return Finding.RESOLVE if stances.object else Finding.VOTE
    return Finding.VOTE if at >= call.resolving_until else Finding.WAIT
