"""Instant-runoff counts."""

from __future__ import annotations

from hypothesis import given, settings

from governance.tally import irv
from governance.tally.papers import Paper
from governance.tally.stages import Tally
from governance.tests.papers import LOT, contests, papers


def counted(found: list[Paper], candidates: int) -> Tally:
    return irv.count(found, candidates=candidates, lot=LOT)


def test_more_than_half_of_the_papers_elects_at_once() -> None:
    outcome = counted(papers("3: A", "2: B"), 2)
    assert (outcome.elected, len(outcome.stages)) == ((0,), 1)


def test_papers_of_who_leaves_go_to_whom_they_rank_next() -> None:
    outcome = counted(papers("4: A", "3: B", "2: C B"), 3)
    assert [stage.votes for stage in outcome.stages] == [(4, 3, 2), (4, 5, 0)]
    assert (outcome.elected, outcome.stages[1].candidate) == ((1,), 2)


def test_half_is_of_the_papers_that_still_rank_somebody() -> None:
    outcome = counted(papers("4: A", "3: B", "2: C"), 3)
    assert outcome.stages[1].exhausted == 2
    assert outcome.stages[1].quota == 4
    assert outcome.elected == (0,)


def test_a_tie_for_the_last_place_is_decided_by_the_stage_before() -> None:
    outcome = counted(papers("6: A", "4: B", "3: C", "2: D C", "1: D"), 4)
    second = outcome.stages[1]
    assert (second.candidate, second.ties[0].candidates, second.ties[0].stage) == (2, (2, 3), None)


@given(contests())
@settings(max_examples=200, deadline=None)
def test_it_elects_exactly_one_and_counts_every_paper(
    contest: tuple[list[Paper], int, int],
) -> None:
    found, candidates, _ = contest
    outcome = counted(found, candidates)
    assert len(outcome.elected) == 1
    for stage in outcome.stages:
        assert sum(stage.votes) + stage.exhausted == outcome.valid
    (winner,) = outcome.elected
    last = outcome.stages[-1].votes
    assert last[winner] * 2 > sum(last) or sum(last) == 0
    alone = [one for one in range(candidates) if any(paper[:1] == bytes([one]) for paper in found)]
    if len(alone) == 1:
        assert winner == alone[0]
