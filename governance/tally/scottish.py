"""The single transferable vote as Scotland counts it: the weighted inclusive Gregory method.

After rules 45 to 52 of schedule 1 of the Scottish Local Government Elections Order 2007: a whole
quota, one surplus at a time with the largest first, transfer values of five decimal places whose
remainder is ignored, one exclusion at a time, no transfer once the last vacancies can be filled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from governance.tally.papers import Paper, by_next, without
from governance.tally.stages import Stage, Step, Tally
from governance.tally.ties import Lot, Tie, choose, in_order

METHOD: Final = "scottish-stv"
UNIT: Final = 100_000


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
    valid = without(papers, withdrawn)
    counted = _Count(candidates, seats, lot, quota=(len(valid) // (seats + 1) + 1) * UNIT)
    counted.continuing = set(range(candidates)) - set(withdrawn)
    counted.first_preferences(valid)
    while counted.is_open():
        counted.next_stage()
    return Tally(METHOD, seats, len(valid), UNIT, tuple(counted.stages))


@dataclass
class _Count:
    candidates: int
    seats: int
    lot: Lot
    quota: int
    piles: list[dict[int, list[Paper]]] = field(default_factory=list)  # by the value of a paper
    votes: list[int] = field(default_factory=list)
    exhausted: int = 0
    total: int = 0
    continuing: set[int] = field(default_factory=set)
    elected: list[int] = field(default_factory=list)
    waiting: set[int] = field(default_factory=set)  # elected, with a surplus that has not gone on
    stages: list[Stage] = field(default_factory=list)

    # --- the stages ---

    def first_preferences(self, papers: Sequence[Paper]) -> None:
        self.piles = [defaultdict(list) for _ in range(self.candidates)]
        self.votes = [0] * self.candidates
        self.total = len(papers) * UNIT
        self._hand_over(papers, UNIT, gone=b"")
        self._end_stage(Step.FIRST, None)

    def is_open(self) -> bool:
        return len(self.elected) < self.seats and bool(self.continuing)

    def next_stage(self) -> None:
        if self.waiting:
            self._transfer_surplus()
        else:
            self._exclude_lowest()

    def _transfer_surplus(self) -> None:
        """Rules 48 and 49."""
        largest = max(self.votes[one] for one in self.waiting)
        equal = sorted(one for one in self.waiting if self.votes[one] == largest)
        candidate, tie = choose(equal, self._history(), self.lot, highest=True)
        self.waiting.remove(candidate)
        surplus, had = largest - self.quota, self.votes[candidate]
        self.votes[candidate] = self.quota
        for value, papers in self._taken(candidate).items():
            self._hand_over(papers, surplus * value // had, self._gone())
        self._end_stage(Step.SURPLUS, candidate, tie)

    def _exclude_lowest(self) -> None:
        """Rules 50 and 51. What no vacancy waits for any more is not handed on: rule 52 (2)."""
        lowest = min(self.votes[one] for one in self.continuing)
        equal = sorted(one for one in self.continuing if self.votes[one] == lowest)
        candidate, tie = choose(equal, self._history(), self.lot, highest=False)
        self.continuing.remove(candidate)
        self.votes[candidate] = 0
        for value, papers in self._taken(candidate).items():
            self._hand_over(papers, value, self._gone())
        self._end_stage(Step.EXCLUSION, candidate, tie)

    # --- the parts of a stage ---

    def _history(self) -> list[tuple[int, ...]]:
        """What was before this stage; where candidates are equal now, the last tells nothing."""
        return [stage.votes for stage in self.stages]

    def _gone(self) -> bytes:
        return bytes(set(range(self.candidates)) - self.continuing)

    def _taken(self, candidate: int) -> dict[int, list[Paper]]:
        taken, self.piles[candidate] = self.piles[candidate], defaultdict(list)
        return taken

    def _hand_over(self, papers: Sequence[Paper], value: int, gone: bytes) -> None:
        for candidate, pile in by_next(papers, gone).items():
            worth = len(pile) * value
            if candidate is None:
                self.exhausted += worth
            else:
                self.votes[candidate] += worth
                self.piles[candidate][value] += pile

    def _end_stage(self, step: Step, candidate: int | None, tie: Tie | None = None) -> None:
        reached = {one for one in self.continuing if self.votes[one] >= self.quota}
        self.waiting |= {one for one in reached if self.votes[one] > self.quota}
        vacant = self.seats - len(self.elected) - len(reached)
        if 0 < len(self.continuing - reached) <= vacant:  # rule 52 (1)
            reached = set(self.continuing)
        order, ties = in_order(reached, self.votes, self._history(), self.lot)
        self.continuing -= reached
        self.elected += order
        known = sum(self.votes) + self.exhausted
        self.stages.append(
            Stage(
                step,
                tuple(self.votes),
                self.quota,
                self.exhausted,
                self.total - known,
                candidate,
                tuple(order),
                tuple(([tie] if tie else []) + ties),
            )
        )
