"""The Scottish count against official results, against a count with fractions, and in its rules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.tally import scottish
from governance.tally.papers import Paper
from governance.tally.stages import Step, Tally
from governance.tests.papers import LOT, contests, papers, ward_papers, wards

TYPO = ("glasgow_2017_ward1", 3, 5)  # the source prints 393 where its own transfers add up to 303


def counted(found: list[Paper], candidates: int, seats: int) -> Tally:
    return scottish.count(found, candidates=candidates, seats=seats, lot=LOT)


def test_all_official_results_are_reproduced_stage_by_stage(shared_data: Path) -> None:
    differing, values = [], 0
    for ward in wards(shared_data):
        outcome = counted(ward_papers(ward), len(ward["candidates"]), ward["seats"])
        assert outcome.stages[0].quota == ward["quota"] * scottish.UNIT
        assert outcome.valid == ward["valid"]
        at = {one: n for n, stage in enumerate(outcome.stages, 1) for one in stage.elected}
        assert at == {int(one): stage for one, stage in ward["elected_at"].items()}, ward["id"]
        for number, (stage, published) in enumerate(
            zip(outcome.stages, ward["stages"], strict=True), 1
        ):
            for one, (votes, value) in enumerate(zip(stage.votes, published, strict=True)):
                values += 1
                # The source prints six digits, or five decimals of small numbers.
                if abs(votes / scottish.UNIT - value) > max(value * 1e-5, 1e-5):
                    differing.append((ward["id"], number, one))
    assert values > 9_000
    assert differing == [TYPO]


def with_fractions(found: list[Paper], candidates: int, seats: int) -> set[int] | None:
    """Who is elected where no value is rounded; None where a tie has to be broken."""
    held = {one: [(paper, Fraction(1)) for paper in found if paper[:1] == bytes([one])]
            for one in range(candidates)}  # fmt: skip
    quota = sum(map(len, held.values())) // (seats + 1) + 1
    elected: set[int] = set()
    surplus: set[int] = set()
    while len(elected) < seats and held.keys() - elected:
        votes = {one: sum((value for _, value in pile), Fraction(0)) for one, pile in held.items()}
        reached = {one for one in held.keys() - elected if votes[one] >= quota}
        elected |= reached
        surplus |= {one for one in reached if votes[one] > quota}
        if len(held) <= seats:
            return set(held)
        if len(elected) >= seats:
            break
        pick, among = (max, surplus) if surplus else (min, held.keys() - elected)
        extreme = pick(votes[one] for one in among)
        equal = [one for one in among if votes[one] == extreme]
        if len(equal) > 1:
            return None
        (one,) = equal
        part = (extreme - quota) / extreme if surplus else Fraction(1)
        moving, held[one] = held[one], []
        if one in surplus:
            surplus.remove(one)
            held[one] = [(b"", Fraction(quota))]
        else:
            del held[one]
        for paper, value in moving:
            following = [other for other in paper if other in held.keys() - elected]
            if following:
                held[following[0]].append((paper, value * part))
    return elected


@given(contests())
@settings(max_examples=300, deadline=None)
def test_it_elects_whom_exact_fractions_elect(contest: tuple[list[Paper], int, int]) -> None:
    """Two counts that share no line; five decimals cannot turn so few papers."""
    exact = with_fractions(*contest)
    outcome = counted(*contest)
    if exact is not None and not any(stage.ties for stage in outcome.stages):
        assert set(outcome.elected) == exact


@given(contests(), st.randoms())
@settings(max_examples=200, deadline=None)
def test_the_order_of_papers_changes_nothing_and_no_vote_comes_or_goes(
    contest: tuple[list[Paper], int, int], random: object
) -> None:
    found, candidates, seats = contest
    outcome = counted(found, candidates, seats)
    shuffled = sorted(found, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert counted(shuffled, candidates, seats) == outcome
    assert len(outcome.elected) == min(seats, candidates) == len(set(outcome.elected))
    for stage in outcome.stages:
        kept = sum(stage.votes) + stage.exhausted + stage.lost
        assert kept == outcome.valid * outcome.unit
        assert 0 <= stage.lost <= len(found) * candidates * 10


def test_a_surplus_goes_on_at_the_value_that_five_decimals_give() -> None:
    outcome = counted(papers("7: A B", "2: A C", "3: B", "2: C"), 3, 2)
    first, second, *_ = outcome.stages
    assert first.quota == 5 * scottish.UNIT
    assert (second.step, second.candidate) == (Step.SURPLUS, 0)
    # 4 of 9 go on: 0.44444 of each paper, and 9 papers lose 0.00004 by it.
    assert second.votes == (500_000, 300_000 + 7 * 44_444, 200_000 + 2 * 44_444)
    assert (second.lost, second.exhausted) == (4, 0)


def test_the_larger_surplus_goes_first() -> None:
    outcome = counted(papers("9: A C", "8: B D", "1: C", "1: D"), 4, 3)
    assert [stage.candidate for stage in outcome.stages][1:3] == [0, 1]


def test_equal_surpluses_go_in_the_order_of_the_last_stage_that_told_them_apart() -> None:
    found = papers("7: A C", "6: B D", "2: E A", "3: E B", "6: C", "6: D")
    _, second, third, fourth = counted(found, 5, 3).stages[:4]
    assert (second.candidate, second.elected) == (4, (0, 1))  # with 9 votes each, after 7 and 6
    assert (third.step, third.candidate, fourth.candidate) == (Step.SURPLUS, 0, 1)
    assert [(tie.candidates, tie.stage) for tie in third.ties] == [((0, 1), 1)]


def test_of_equal_lowest_ones_that_one_leaves_who_was_lower_before() -> None:
    outcome = counted(papers("6: A", "5: B", "3: C", "2: D", "1: E D"), 5, 1)
    third = outcome.stages[2]
    assert (third.candidate, third.ties[0].candidates, third.ties[0].stage) == (3, (2, 3), 1)


def test_a_lot_decides_where_every_stage_was_equal_and_says_so() -> None:
    found = papers("4: A", "2: B", "2: C")
    drawn = counted(found, 3, 1).stages[0:2]
    (tie,) = drawn[1].ties
    assert (tie.candidates, tie.stage) == ((1, 2), None)
    assert tie.chosen == drawn[1].candidate == LOT.first(2, [1, 2])


def test_the_last_vacancies_are_filled_without_the_quota() -> None:
    outcome = counted(papers("5: A", "2: B", "1: C"), 3, 2)
    assert outcome.elected == (0, 1)
    assert outcome.stages[-1].votes[1] < outcome.stages[-1].quota


def test_without_a_paper_the_lot_elects() -> None:
    outcome = counted([], 3, 1)
    assert len(outcome.elected) == 1
    assert outcome.stages[0].quota == scottish.UNIT


def test_more_seats_than_candidates_elect_all_of_them() -> None:
    assert set(counted(papers("A", "B A"), 3, 5).elected) == {0, 1, 2}


def test_a_contest_without_a_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        counted([b"\x00"], 1, 0)
