"""Approval and plurality: each paper marks candidates, and those with most marks are elected.

With approval a paper marks as many as it likes; with plurality at most as many as there are seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from governance.tally.papers import Paper
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


def approval(papers: Sequence[Paper], *, candidates: int, seats: int, lot: Lot) -> Marks:
    """`papers` are as `papers.checked` makes them. Raises ValueError for no seat."""
    return _most(METHODS[0], papers, candidates, seats, lot)


def plurality(papers: Sequence[Paper], *, candidates: int, seats: int, lot: Lot) -> Marks:
    """As `approval`; raises ValueError for a paper with more marks than seats, too."""
    if any(len(paper) > seats for paper in papers):
        raise ValueError("a paper has more marks than there are seats")
    return _most(METHODS[1], papers, candidates, seats, lot)


METHODS = ("approval", "plurality")


def _most(method: str, valid: Sequence[Paper], candidates: int, seats: int, lot: Lot) -> Marks:
    if seats < 1:
        raise ValueError("a contest fills at least one seat")
    marks = Counter(b"".join(valid))
    votes = tuple(marks[one] for one in range(candidates))
    order, ties = in_order(range(candidates), votes, [], lot)
    return Marks(method, seats, len(valid), votes, tuple(order), tuple(ties))
