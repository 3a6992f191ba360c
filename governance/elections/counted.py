"""A contest that is counted, in plain values: what its tables, its chart and its report tell of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from governance.tally.contest import Contest, Round


class Absence(StrEnum):
    """Why somebody who is on the ballot was not counted from the first count on."""

    WITHDREW = "withdrew"
    DISQUALIFIED = "disqualified"
    SEATED = "seated"  # by a contest before this one: one person, one seat


@dataclass(frozen=True, slots=True)
class Turnout:
    """How many could vote in a constituency, and what was in the box."""

    title: str
    on_roll: int
    took_part: int
    blank: int = 0  # papers that prefer nobody
    spoilt: int = 0  # papers that cannot be read as one of this contest
    quorum: int = 0  # who have to take part; 0 where none is asked
    is_question: bool = False  # a blank paper abstains there

    @property
    def valid(self) -> int:
        return self.took_part - self.blank - self.spoilt

    @property
    def has_quorum(self) -> bool:
        return self.took_part >= self.quorum


@dataclass(frozen=True, slots=True)
class Counted:
    """All counts of a contest; the last one stands. Candidates are their places, from 0."""

    turnout: Turnout
    contest: Contest
    names: tuple[str, ...]
    rounds: tuple[Round, ...]  # none without a quorum
    seed: str  # of the lot
    absent: Mapping[int, Absence] = field(default_factory=dict)

    @property
    def elected(self) -> tuple[int, ...]:
        """Nobody without a quorum."""
        return self.rounds[-1].tally.elected if self.rounds and self.turnout.has_quorum else ()

    def affiliation(self, candidate: int) -> str:
        return self.contest.affiliations.get(candidate, "")
