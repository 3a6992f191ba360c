"""The Schulze method with winning votes: who beats everybody by the strongest chain of majorities.

M. Schulze, "A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent
single-winner election method", Social Choice and Welfare 36 (2011). A paper gives each candidate a
rank; equal ranks prefer neither. To rank nobody of two is to prefer neither, and to have no opinion
of one is to say nothing of the pair at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from operator import lt
from typing import Final

from governance.tally.papers import check_number
from governance.tally.ties import Lot, Tie

METHOD: Final = "schulze"
NO_OPINION: Final = 0
UNRANKED: Final = 255  # below everybody who is ranked

Ranks = bytes  # of each candidate in the order of their list: 1 is the best

_NEVER_BETTER: Final = bytes([UNRANKED, *range(1, 256)])  # where there is no opinion


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of candidates, and the order that follows."""

    seats: int
    valid: int
    preferred: tuple[tuple[int, ...], ...]  # [a][b]: papers that prefer a to b
    strongest: tuple[tuple[int, ...], ...]  # [a][b]: the weakest link of the best chain from a to b
    order: tuple[int, ...]  # the winner first
    ties: tuple[Tie, ...]
    method: str = METHOD

    @property
    def elected(self) -> tuple[int, ...]:
        return self.order[: self.seats]


def count(
    papers: Iterable[Ranks],
    *,
    candidates: int,
    seats: int,
    lot: Lot,
    withdrawn: Collection[int] = (),
) -> Comparison:
    """Put so many candidates in order and elect the first `seats`; who has `withdrawn` is compared
    with nobody and has no place in the order.

    Raises ValueError for a contest without a seat or with too many candidates, and for a paper
    that does not have one rank for each of them.
    """
    if seats < 1:
        raise ValueError("a contest fills at least one seat")
    check_number(candidates)
    valid = list(papers)
    if any(len(paper) != candidates for paper in valid):
        raise ValueError("a paper does not have one rank for each candidate")
    standing = [one for one in range(candidates) if one not in withdrawn]
    preferred = pairs(valid, candidates, standing)
    strongest = chains(preferred)
    order, ties = _order(strongest, standing, lot)
    return Comparison(seats, len(valid), preferred, strongest, order, ties)


def pairs(
    papers: Sequence[Ranks], candidates: int, standing: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """How many papers prefer one candidate to another, for each pair of those who stand."""
    every = b"".join(papers)
    columns = [every[one::candidates] for one in range(candidates)]
    better = [column.translate(_NEVER_BETTER) for column in columns]
    found = [[0] * candidates for _ in range(candidates)]
    for a, b in permutations(standing, 2):
        found[a][b] = sum(map(lt, better[a], columns[b]))
    return tuple(map(tuple, found))


def chains(preferred: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The strength of the strongest chain between each pair; a lost or drawn pair is no link."""
    every = range(len(preferred))
    strength = [
        [preferred[a][b] if preferred[a][b] > preferred[b][a] else 0 for b in every] for a in every
    ]
    for middle in every:
        onward = strength[middle]
        for a in every:
            row, limit = strength[a], strength[a][middle]
            if limit and a != middle:
                for b in every:
                    if b not in (a, middle) and row[b] < min(limit, onward[b]):
                        row[b] = min(limit, onward[b])
    return tuple(tuple(row) for row in strength)


def _order(
    strongest: Sequence[Sequence[int]], standing: Sequence[int], lot: Lot
) -> tuple[tuple[int, ...], tuple[Tie, ...]]:
    """Again and again one of those whom nobody left beats; by lot where there are several."""
    left = list(standing)
    order: list[int] = []
    ties: list[Tie] = []
    while left:
        unbeaten = [a for a in left if all(strongest[b][a] <= strongest[a][b] for b in left)]
        chosen = unbeaten[0]
        if len(unbeaten) > 1:
            chosen = lot.first(len(order) + 1, unbeaten)
            ties.append(Tie(tuple(unbeaten), chosen, None))
        left.remove(chosen)
        order.append(chosen)
    return tuple(order), tuple(ties)
