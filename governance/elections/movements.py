"""What happened between the stages of a count: who gained, who lost, what became of everybody."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from governance.tally.stages import Step, Tally


class End(StrEnum):
    """How the count ended for a candidate."""

    ELECTED = "elected"
    LEFT_OUT = "left out"  # still there when the seats were filled
    EXCLUDED = "excluded"
    ABSENT = "absent"  # did not stand


@dataclass(frozen=True, slots=True)
class Fate:
    end: End
    stage: int  # from 1; 0 for who did not stand
    votes: int  # the most recent, in parts of a vote: before they went on


@dataclass(frozen=True, slots=True)
class Movement:
    """What a stage changed, in parts of a vote."""

    changes: tuple[int, ...]  # of each candidate
    exhausted: int
    lost: int

    @property
    def gains(self) -> list[tuple[int, int]]:
        """Who gained how much, the largest first."""
        found = [(one, parts) for one, parts in enumerate(self.changes) if parts > 0]
        return sorted(found, key=lambda gain: (-gain[1], gain[0]))


def movements(tally: Tally) -> list[Movement]:
    """One for each stage after the first."""
    return [
        Movement(
            tuple(now - then for then, now in zip(before.votes, after.votes, strict=True)),
            after.exhausted - before.exhausted,
            after.lost - before.lost,
        )
        for before, after in pairwise(tally.stages)
    ]


def fates(tally: Tally, absent: Collection[int] = ()) -> list[Fate]:
    """What became of each candidate; `absent` did not stand."""
    last = tally.stages[-1]
    found = [Fate(End.LEFT_OUT, len(tally.stages), votes) for votes in last.votes]
    for number, stage in enumerate(tally.stages, 1):
        for one in stage.elected:
            found[one] = Fate(End.ELECTED, number, stage.votes[one])
        if stage.step is Step.EXCLUSION and stage.candidate is not None:
            before = tally.stages[number - 2].votes[stage.candidate]
            found[stage.candidate] = Fate(End.EXCLUDED, number, before)
    for one in absent:
        found[one] = Fate(End.ABSENT, 0, 0)
    return found


def in_order(tally: Tally, absent: Collection[int] = ()) -> list[int]:
    """The elected as they were elected, then who was nearest to it, then who did not stand."""
    ends = fates(tally, absent)
    elected = list(tally.elected)
    others = [one for one in range(len(ends)) if one not in elected]
    rank = {End.LEFT_OUT: 0, End.EXCLUDED: 1, End.ABSENT: 2}
    others.sort(key=lambda one: (rank[ends[one].end], -ends[one].stage, -ends[one].votes, one))
    return elected + others
