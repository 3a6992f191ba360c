"""Meek's count against the rule written out paper by paper, and in what it promises."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.tally import meek, scottish
from governance.tally.papers import Paper
from governance.tally.stages import Step, Tally
from governance.tests.papers import LOT, contests, papers, ward_papers, wards

NINE = 10**9


def counted(found: list[Paper], candidates: int, seats: int) -> Tally:
    return meek.count(found, candidates=candidates, seats=seats, lot=LOT)


def by_the_letter(found: list[Paper], candidates: int, seats: int) -> set[int] | None:
    """Steps A to C of the Reference Meek Rule; None where it would have to break a tie."""
    keep = dict.fromkeys(range(candidates), NINE)
    hopeful, elected = set(keep), set[int]()
    while len(elected) < seats and len(elected) + len(hopeful) > seats:
        last = None
        while True:
            votes = dict.fromkeys(keep, 0)
            for paper in found:
                weight = NINE
                for one in paper:
                    kept = (weight * keep[one] + NINE - 1) // NINE
                    votes[one] += kept
                    weight -= kept
                    if weight == 0:
                        break
            quota = sum(votes.values()) // (seats + 1) + 1
            reached = {one for one in hopeful if votes[one] >= quota}
            if reached:
                elected |= reached
                hopeful -= reached
                break
            surplus = max(0, sum(votes[one] - quota for one in elected))
            if surplus < 1000 or (last is not None and surplus >= last):
                lowest = min(votes[one] for one in hopeful)
                tied = [one for one in hopeful if votes[one] <= lowest + surplus]
                if len(tied) > 1:
                    return None
                keep[tied[0]] = 0
                hopeful.remove(tied[0])
                break
            last = surplus
            for one in elected:
                kept = (keep[one] * quota + NINE - 1) // NINE
                keep[one] = (kept * NINE + votes[one] - 1) // votes[one]
    return elected | hopeful if len(elected) < seats else elected


@given(contests())
@settings(max_examples=200, deadline=None)
def test_it_elects_whom_the_rule_elects_paper_by_paper(
    contest: tuple[list[Paper], int, int],
) -> None:
    expected = by_the_letter([paper for paper in contest[0] if paper], *contest[1:])
    if expected is not None:
        assert set(counted(*contest).elected) == expected


@given(contests(), st.permutations(range(7)))
@settings(max_examples=100, deadline=None)
def test_neither_the_order_of_papers_nor_that_of_candidates_changes_who_is_elected(
    contest: tuple[list[Paper], int, int], order: list[int]
) -> None:
    found, candidates, seats = contest
    outcome = counted(found, candidates, seats)
    assert counted(sorted(found), candidates, seats) == outcome
    for stage in outcome.stages:
        assert sum(stage.votes) + stage.exhausted == outcome.valid * outcome.unit
    named = [one for one in order if one < candidates]
    renamed = [bytes(named[one] for one in paper) for paper in found]
    if not any(stage.ties for stage in outcome.stages):
        assert set(counted(renamed, candidates, seats).elected) == {
            named[one] for one in outcome.elected
        }


@pytest.mark.proof
def test_it_differs_from_the_scottish_count_where_it_is_known_to(shared_data: Path) -> None:
    """A rule that says only "STV" would leave these seats open."""
    differing = set()
    for ward in wards(shared_data):
        found, candidates = ward_papers(ward), len(ward["candidates"])
        mine = counted(found, candidates, ward["seats"])
        other = scottish.count(found, candidates=candidates, seats=ward["seats"], lot=LOT)
        assert len(mine.elected) == ward["seats"]
        if set(mine.elected) != set(other.elected):
            differing.add(ward["id"])
    assert differing == {
        "aberdeen_2017_ward10",
        "east_lothian_2017_ward3",
        "fife_2017_ward12",
        "glasgow_2017_ward9",
        "highland_2017_ward3",
        "sc_borders_2017_ward5",
        "shetland_2017_ward7",
        "south_lanarkshire_2017_ward12",
        "west_dunbartonshire_2017_ward3",
    }


def test_more_candidates_than_there_are_letters_are_counted_by_the_rule() -> None:
    """Their places are bytes, some of which mean something to a pattern: `]`, `^`, `-`."""
    drawn = random.Random(7)
    found = [bytes(drawn.sample(range(120), 20)) for _ in range(400)]
    outcome = counted(found, 120, 3)
    expected = by_the_letter(found, 120, 3)
    assert len(outcome.elected) == 3
    assert expected is None or set(outcome.elected) == expected
    for stage in outcome.stages:
        assert sum(stage.votes) + stage.exhausted == 400 * NINE


def test_an_elected_candidate_keeps_just_the_quota_of_what_reaches_them() -> None:
    outcome = counted(papers("60: A B", "20: B", "19: C", "1: D"), 4, 2)
    first, second, *_ = outcome.stages
    assert (first.step, first.elected) == (Step.FIRST, (0,))
    assert (second.step, second.elected) == (Step.SURPLUS, (1,))
    # 33.3… of 60 are needed: A keeps 5/9 of each paper, B takes the rest.
    assert second.keep[0] == pytest.approx(NINE * 5 / 9, rel=1e-6)
    assert second.votes[1] == pytest.approx(NINE * (20 + 60 * 4 / 9), rel=1e-6)


def test_who_is_within_the_surplus_of_the_lowest_is_tied_with_them() -> None:
    found = papers("2: A", "1: B", "1: C")
    outcome = counted(found, 3, 1)
    assert outcome.stages[1].step is Step.EXCLUSION
    assert outcome.stages[1].ties[0].candidates == (1, 2)
    assert outcome.elected == (0,)


def test_a_contest_without_a_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        counted([], 1, 0)
