"""Who takes a seat that became free: the same papers, counted as if who left had not stood.

The procedure is named `same-papers-without-who-left`. Who was elected and still holds a seat keeps
it, whatever this count says of them. Of those whom the count elects, the first without a seat takes
it; one whose affiliation has all the seats it may have is passed over, and all is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from governance.recount.outcome import rule
from governance.sealed.manifest import Contest
from governance.tally import contest as tally
from governance.tally import question
from governance.tally.contest import Round
from governance.tally.ties import Lot

PROCEDURE: Final = "same-papers-without-who-left"


@dataclass(frozen=True, slots=True)
class Countback:
    """Every count until somebody could take the seat; the last one stands."""

    holding: tuple[int, ...]  # who keeps a seat
    gone: tuple[int, ...]  # who left, or cannot or will not take it
    passed_over: tuple[int, ...]  # for their affiliation, in the order of the counts
    rounds: tuple[Round, ...]
    filled_by: int | None  # nobody: no candidate is left


def countback(
    contest: Contest,
    papers: Sequence[bytes],
    *,
    holding: Collection[int],
    gone: Collection[int],
    seed: str,
) -> Countback:
    """Fill one seat of the contest. `papers` and `seed` are those of the election.

    `gone` are all who left their seat or the contest, who hold another seat of the body, and who
    said that they will not take this one. Raises ValueError for a question, for candidates who are
    not in the contest, for who both holds a seat and left it, and where no seat is free.
    """
    _check(contest, holding, gone)
    of = rule(contest)
    valid = [paper for paper in papers if paper]
    taken = Counter(of.affiliations[one] for one in holding if one in of.affiliations)
    full = {name for name, seats in taken.items() if of.most is not None and seats >= of.most}
    passed: list[int] = []
    rounds: list[Round] = []
    filled = None
    while filled is None and len({*gone, *passed, *holding}) < of.candidates:
        without = {*gone, *passed}
        last = tally.resolve(valid, replace(of, most=None), lot=Lot(seed), seated=without)[-1]
        rounds.append(last)
        chosen = next(one for one in last.tally.elected if one not in holding)
        if of.affiliations.get(chosen) in full:
            passed.append(chosen)
        else:
            filled = chosen
    return Countback(
        tuple(sorted(holding)), tuple(sorted(gone)), tuple(passed), tuple(rounds), filled
    )


def _check(contest: Contest, holding: Collection[int], gone: Collection[int]) -> None:
    places = range(len(contest.candidates))
    if contest.method == question.METHOD:
        raise ValueError("a question fills no seat")
    if not {*holding, *gone} <= set(places):
        raise ValueError("who holds a seat or left it was a candidate of the contest")
    if {*holding} & {*gone}:
        raise ValueError("who left a seat does not hold it")
    if len({*holding}) >= contest.seats:
        raise ValueError("no seat is free")
