"""A seat that became free goes to whom the same papers elect without who left it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.recount.countback import countback
from governance.sealed.manifest import Contest
from governance.tally.contest import METHODS
from governance.tally.formats.sheet import as_ranks
from governance.tally.papers import Paper
from governance.tests.papers import contests, papers
from governance.tests.sealed_election import MEMBERS
from governance.tests.sealed_election import contest as made

PAPERS = papers("12: A B C", "10: B A C", "4: C A", "2: D C")


def contest(method: str = "scottish-stv", seats: int = 2, candidates: int = 4) -> Contest:
    found = made(MEMBERS, seats=seats, candidates=candidates)
    nobodys = tuple(replace(one, affiliation="") for one in found.candidates)
    return replace(found, method=method, candidates=nobodys)


def filled(
    of: Contest, holding: set[int], gone: set[int], found: list[Paper] = PAPERS
) -> int | None:
    return countback(of, found, holding=holding, gone=gone, seed="a").filled_by


def test_the_next_by_the_same_papers_takes_the_seat() -> None:
    assert filled(contest(), {1}, {0}) == 2
    assert filled(contest(), {0}, {1}) == 2


def test_who_will_not_take_it_is_passed() -> None:
    assert filled(contest(), {1}, {0, 2}) == 3


def test_nobody_is_left() -> None:
    found = countback(contest(), PAPERS, holding={1}, gone={0, 2, 3}, seed="a")
    assert (found.filled_by, found.rounds) == (None, ())


def test_who_was_elected_stays_though_this_count_does_not_elect_them() -> None:
    """D, who holds one of two seats, would lose it."""
    of = contest()
    assert filled(of, {3}, {0}) == 1
    assert countback(of, PAPERS, holding={3}, gone={0}, seed="a").rounds[-1].tally.elected == (1, 2)


def test_an_affiliation_with_all_its_seats_is_passed_over() -> None:
    of = contest(seats=2)
    acme = tuple(
        replace(one, affiliation="Acme" if place in {1, 2} else "")
        for place, one in enumerate(of.candidates)
    )
    limited = replace(of, candidates=acme, most_of_one_affiliation=1)
    found = countback(limited, PAPERS, holding={1}, gone={0}, seed="a")
    assert (found.passed_over, found.filled_by) == ((2,), 3)
    assert len(found.rounds) == 2


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"irv", "yes-no"}))
def test_every_method_fills_a_seat(method: str) -> None:
    found = [paper[:2] for paper in PAPERS]
    if method == "schulze":
        found = [as_ranks(paper, 4) for paper in PAPERS]
    assert filled(contest(method), {1}, {0}, found) == 2


def test_the_one_seat_of_a_runoff_is_filled_again() -> None:
    assert filled(contest("irv", seats=1), set(), {0}) == 1


@pytest.mark.parametrize(
    ("of", "holding", "gone", "why"),
    [
        (contest(), {0, 1}, {2}, "no seat is free"),
        (contest(), {0}, {0}, "does not hold"),
        (contest(), {0}, {4}, "was a candidate"),
        (contest("yes-no", seats=1, candidates=2), set(), {0}, "fills no seat"),
    ],
)
def test_what_cannot_be_is_refused(
    of: Contest, holding: set[int], gone: set[int], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        filled(of, holding, gone)


@given(contests(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_somebody_without_a_seat_takes_it_whatever_the_order(
    drawn: tuple[list[Paper], int, int], shuffle: Random
) -> None:
    found, candidates, seats = drawn
    of = contest(seats=seats, candidates=candidates)
    holding = set(range(seats - 1)) & set(range(candidates))
    gone = {candidates - 1} - holding
    first = countback(of, found, holding=holding, gone=gone, seed="a")
    assert (first.filled_by is None) == (len(holding | gone) == candidates)
    assert first.filled_by not in holding | gone
    turned = list(found)
    shuffle.shuffle(turned)
    assert countback(of, turned, holding=holding, gone=gone, seed="a") == first
