"""What a count tells of itself: its stages, each with everybody's votes, and who is elected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from governance.tally.ties import Tie


class Step(StrEnum):
    """What a stage does."""

    FIRST = "first"  # first preferences are counted
    SURPLUS = "surplus"  # what an elected candidate has beyond the quota goes on
    EXCLUSION = "exclusion"  # the papers of who has fewest votes go on


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage. Votes are whole numbers of `unit` parts each; see `Tally`."""

    step: Step
    votes: tuple[int, ...]  # of each candidate at its end
    quota: int
    exhausted: int  # of papers that rank nobody who is left
    lost: int  # by rounding
    candidate: int | None = None  # whose papers went on
    elected: tuple[int, ...] = ()  # at its end, the one with most votes first
    ties: tuple[Tie, ...] = ()
    keep: tuple[int, ...] = ()  # Meek: the part of a vote that each candidate keeps, in `unit`


@dataclass(frozen=True, slots=True)
class Tally:
    """The whole count of a contest. Candidates are their places in its list, from 0."""

    method: str
    seats: int
    valid: int  # papers that rank anybody
    unit: int  # parts of one vote in which the stages count
    stages: tuple[Stage, ...]

    @property
    def elected(self) -> tuple[int, ...]:
        """Who is elected, in the order in which the count found them."""
        return tuple(one for stage in self.stages for one in stage.elected)
