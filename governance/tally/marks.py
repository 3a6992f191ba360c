"""Approval and plurality: each paper marks candidates, and those with most marks are elected.

With approval a paper marks as many as it likes; with plurality at most as many as there are seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from governance.tally.papers import Paper, without
from governance.tally.ties import Lot, Tie, in_order


@dataclass(frozen=True, slots=True)
class Marks:
    """How many papers mark each candidate, and the order that follows."""

    method: str
    seats: int
    valid: int
    votes: tuple[int, ...]
    order: tuple[int, ...]  # the one with most first
    ties: tuple[Tie, ...]  # each decided by lot

    @property
    def elected(self) -> tuple[int, ...]:
        return self.order[: self.seats]


APPROVAL: Final = "approval"
PLURALITY: Final = "plurality"
METHODS: Final = (APPROVAL, PLURALITY)


def count(
    method: str,
    papers: Sequence[Paper],
    *,
    candidates: int,
    seats: int,
    lot: Lot,
    withdrawn: Collection[int] = (),
) -> Marks:
    """Elect up to `seats` of so many candidates by one of `METHODS`.

    `papers` are as `papers.checked` makes them; it is counted as if those who have `withdrawn` had
    not stood. Raises ValueError for a contest without a seat, and for a paper with more marks than
    plurality allows.
    """
    if seats < 1:
        raise ValueError("a contest fills at least one seat")
    if method == PLURALITY and any(len(paper) > seats for paper in papers):
        raise ValueError("a paper has more marks than there are seats")
    valid = without(papers, withdrawn)
    marks = Counter(b"".join(valid))
    votes = tuple(marks[one] for one in range(candidates))
    order, ties = in_order(set(range(candidates)) - set(withdrawn), votes, [], lot)
    return Marks(method, seats, len(valid), votes, tuple(order), tuple(ties))
