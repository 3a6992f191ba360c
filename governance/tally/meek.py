"""The single transferable vote by Meek's method, as the Reference Meek Rule writes it.

Proportional Representation Foundation, "Reference Meek Rule": everybody keeps of each vote the part
that they need, for which all papers are shared out again and again until the surpluses are gone.
Nine decimal places; what a candidate keeps is rounded up; omega is one millionth. Where the rule
leaves a tie open it is decided by the rounds before and then by lot, as in `scottish`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from governance.tally.papers import Paper, without
from governance.tally.stages import Stage, Step, Tally
from governance.tally.ties import Lot, Tie, choose, in_order

METHOD: Final = "meek-stv"
UNIT: Final = 10**9
OMEGA: Final = UNIT // 10**6


def count(
    papers: Sequence[Paper],
    *,
    candidates: int,
    seats: int,
    lot: Lot,
    withdrawn: Collection[int] = (),
) -> Tally:
    """Elect up to `seats` of so many candidates. The order of the papers does not matter.

    `papers` are as `papers.checked` makes them; it is counted as if those who have `withdrawn` had
    not stood. Raises ValueError for a contest without a seat.
    """
    if seats < 1:
        raise ValueError("a contest fills at least one seat")
    hopeful = set(range(candidates)) - set(withdrawn)
    counted = _Count(seats, lot, without(papers, withdrawn), hopeful)
    counted.keep = [UNIT if one in hopeful else 0 for one in range(candidates)]
    while counted.is_open():
        counted.next_round()
    return Tally(METHOD, seats, len(counted.papers), UNIT, tuple(counted.stages))


@dataclass
class _Count:
    seats: int
    lot: Lot
    papers: Sequence[Paper]
    hopeful: set[int]
    keep: list[int] = field(default_factory=list)
    elected: list[int] = field(default_factory=list)
    votes: list[int] = field(default_factory=list)
    exhausted: int = 0
    quota: int = 0
    excluded: int | None = None  # at the end of the round before
    tie: Tie | None = None
    stages: list[Stage] = field(default_factory=list)

    def is_open(self) -> bool:
        return len(self.elected) < self.seats and bool(self.hopeful)

    def next_round(self) -> None:
        """Share out until somebody is elected or the surpluses are gone; then exclude somebody."""
        groups = self._groups()
        before = None
        while True:
            self._distribute(groups)
            reached = {one for one in self.hopeful if self.votes[one] >= self.quota}
            if len(self.hopeful) + len(self.elected) <= self.seats:
                reached = set(self.hopeful)
            if reached:
                self._end_round(reached)
                return
            surplus = max(0, sum(self.votes[one] - self.quota for one in self.elected))
            if surplus < OMEGA or (before is not None and surplus >= before):
                self._end_round(set())
                self._exclude(surplus)
                return
            before = surplus
            self._update_keep()

    def _groups(self) -> list[tuple[Paper, int]]:
        """The papers as far as this round reads them: to the first candidate who keeps it all."""
        gone = bytes(one for one, keep in enumerate(self.keep) if not keep)
        elected = b"".join(re.escape(bytes([one])) for one in sorted(self.elected))
        hopeful = b"".join(re.escape(bytes([one])) for one in sorted(self.hopeful))
        head = (b"[%b]*" % elected if elected else b"") + b"[%b]?" % hopeful
        read = re.compile(head, re.DOTALL).match
        heads = (read(paper.translate(None, gone)) for paper in self.papers)
        return list(Counter(found.group() for found in heads if found).items())

    def _distribute(self, groups: list[tuple[Paper, int]]) -> None:
        votes, keep = [0] * len(self.keep), self.keep
        exhausted = 0
        for paper, number in groups:
            weight = UNIT
            for one in paper:
                kept = -(-weight * keep[one] // UNIT)
                votes[one] += kept * number
                weight -= kept
            exhausted += weight * number
        self.votes, self.exhausted = votes, exhausted
        self.quota = sum(votes) // (self.seats + 1) + 1

    def _update_keep(self) -> None:
        for one in self.elected:
            kept = -(-self.keep[one] * self.quota // UNIT)
            self.keep[one] = -(-kept * UNIT // self.votes[one])

    def _end_round(self, reached: set[int]) -> None:
        order, ties = in_order(reached, self.votes, self._history(), self.lot)
        self.hopeful -= reached
        self.elected += order
        if self.excluded is not None:
            step = Step.EXCLUSION
        else:
            step = Step.SURPLUS if self.stages else Step.FIRST
        known = (*([self.tie] if self.tie else []), *ties)
        self.stages.append(
            Stage(
                step,
                tuple(self.votes),
                self.quota,
                self.exhausted,
                0,
                self.excluded,
                tuple(order),
                known,
                tuple(self.keep),
            )
        )
        self.excluded = self.tie = None

    def _exclude(self, surplus: int) -> None:
        """Who is within the remaining surplus of the lowest could still pass them: a tie."""
        lowest = min(self.votes[one] for one in self.hopeful)
        equal = sorted(one for one in self.hopeful if self.votes[one] <= lowest + surplus)
        self.excluded, self.tie = choose(equal, self._history()[:-1], self.lot, highest=False)
        self.hopeful.remove(self.excluded)
        self.keep[self.excluded] = 0

    def _history(self) -> list[tuple[int, ...]]:
        return [stage.votes for stage in self.stages]
