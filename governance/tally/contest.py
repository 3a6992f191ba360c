"""A contest with its limits: who is elected where an affiliation may not have every seat.

The procedure is named `last-elected-leaves`. Count; where more people of one affiliation are
elected than may be, the one of them who was elected last leaves, and everything is counted again as
if that person had not stood. Who has a seat by a contest before this one does not stand either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from governance.tally import irv, marks, meek, question, schulze, scottish
from governance.tally.ties import Lot

PROCEDURE: Final = "last-elected-leaves"


class Elected(Protocol):
    """What every count tells."""

    @property
    def elected(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class Contest:
    """How one constituency elects. Papers are as the method has them: see `METHODS`."""

    method: str
    candidates: int
    seats: int
    affiliations: Mapping[int, str]  # of those candidates who have one
    most: int | None = None  # of one affiliation
    ratio: tuple[int, int] = (1, 1)  # yes to no, of a question


@dataclass(frozen=True, slots=True)
class Round:
    """One count, without those who had left."""

    left: tuple[int, ...]  # in the order in which they did
    tally: Elected


Count = Callable[[Sequence[bytes], Contest, Collection[int], Lot], Elected]


def resolve(
    papers: Sequence[bytes], contest: Contest, *, lot: Lot, seated: Collection[int] = ()
) -> list[Round]:
    """All counts until nobody has to leave; the last one stands.

    `seated` have a seat already, or have withdrawn. Raises KeyError for a method that is not in
    `METHODS`, ValueError for a contest that cannot be counted.
    """
    left = tuple(sorted(seated))
    rounds: list[Round] = []
    while True:
        tally = METHODS[contest.method](papers, contest, left, lot)
        rounds.append(Round(left, tally))
        leaving = _last_too_many(tally.elected, contest)
        if leaving is None:
            return rounds
        left = (*left, leaving)


def _last_too_many(elected: Sequence[int], contest: Contest) -> int | None:
    """Of those beyond the limit of their affiliation, the one who was elected last."""
    if contest.most is None:
        return None
    seats: Counter[str] = Counter()
    last = None
    for one in elected:
        affiliation = contest.affiliations.get(one)
        if affiliation is not None:
            seats[affiliation] += 1
            if seats[affiliation] > contest.most:
                last = one
    return last


# --- the methods: papers rank candidates, but with Schulze each has a rank for every one ---


def _single(papers: Sequence[bytes], contest: Contest, left: Collection[int], lot: Lot) -> Elected:
    if contest.seats != 1:
        raise ValueError("instant-runoff voting fills one seat")
    return irv.count(papers, candidates=contest.candidates, lot=lot, withdrawn=left)


def _question(
    papers: Sequence[bytes], contest: Contest, left: Collection[int], _lot: Lot
) -> Elected:
    return question.count(
        papers, candidates=contest.candidates, ratio=contest.ratio, withdrawn=left
    )


def _several(count: Callable[..., Elected]) -> Count:
    def counted(
        papers: Sequence[bytes], contest: Contest, left: Collection[int], lot: Lot
    ) -> Elected:
        seats, candidates = contest.seats, contest.candidates
        return count(papers, candidates=candidates, seats=seats, lot=lot, withdrawn=left)

    return counted


METHODS: Final[Mapping[str, Count]] = {
    scottish.METHOD: _several(scottish.count),
    meek.METHOD: _several(meek.count),
    schulze.METHOD: _several(schulze.count),
    irv.METHOD: _single,
    question.METHOD: _question,
    **{method: _several(partial(marks.count, method)) for method in marks.METHODS},
}
