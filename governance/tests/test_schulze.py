"""The Schulze method against its author's example, real elections, and pairs counted one by one."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.tally import schulze
from governance.tally.schulze import NO_OPINION, UNRANKED, Comparison
from governance.tests.papers import LOT


def counted(papers: list[bytes], candidates: int, seats: int = 1) -> Comparison:
    return schulze.count(papers, candidates=candidates, seats=seats, lot=LOT)


def ranked(number: int, order: str, names: str) -> list[bytes]:
    return [bytes(order.index(name) + 1 for name in names)] * number


def test_the_example_of_its_author_is_reproduced() -> None:
    """Section 3.1, example 1: 45 voters, five candidates, E wins."""
    orders = {"ACBED": 5, "ADECB": 5, "BEDAC": 8, "CABED": 3, "CAEBD": 7,
              "CBADE": 2, "DCEBA": 7, "EBADC": 8}  # fmt: skip
    papers = [paper for order, number in orders.items() for paper in ranked(number, order, "ABCDE")]
    found = counted(papers, 5)
    assert found.preferred[0] == (0, 20, 26, 30, 22)
    assert found.strongest == (
        (0, 28, 28, 30, 24),
        (25, 0, 28, 33, 24),
        (25, 29, 0, 29, 24),
        (25, 28, 28, 0, 24),
        (25, 28, 28, 31, 0),
    )
    assert found.order == (4, 0, 2, 1, 3)
    assert found.ties == ()


def test_six_elections_of_the_kubernetes_steering_committee_are_reproduced(
    shared_data: Path,
) -> None:
    """Its voters mark "no opinion": who was not ranked is not ranked last."""
    with lzma.open(shared_data / "elections/kubernetes_steering.json.xz", "rt") as file:
        elections = json.load(file)
    assert len(elections) == 6
    for election in elections:
        names, winners = election["candidates"], election["published_winners"]
        papers = [bytes(paper.get(name, NO_OPINION) for name in names)
                  for paper in election["ballots"]]  # fmt: skip
        found = counted(papers, len(names), len(winners or names))
        assert found.ties == ()
        if winners:
            assert {names[one] for one in found.elected} == set(winners), election["year"]
        else:
            assert [names[one] for one in found.order] == election["published_order"]


def test_no_opinion_and_no_rank_elect_different_people() -> None:
    """Two rank A alone, the third prefers B. Who says nothing of B does not place B last."""
    assert counted([bytes([1, UNRANKED]), bytes([1, UNRANKED]), bytes([2, 1])], 2).elected == (0,)
    found = counted([bytes([1, NO_OPINION]), bytes([1, NO_OPINION]), bytes([2, 1])], 2)
    assert found.preferred == ((0, 0), (1, 0))
    assert found.elected == (1,)


def test_equal_candidates_are_put_in_order_by_lot() -> None:
    found = counted([bytes([1, 1, 2])], 3, 2)
    (tie,) = found.ties
    assert (tie.candidates, tie.chosen) == ((0, 1), LOT.first(1, [0, 1]))
    assert found.order[2] == 2


@given(st.integers(1, 6).flatmap(lambda n: st.lists(
    st.lists(st.sampled_from([NO_OPINION, 1, 2, 3, UNRANKED]), min_size=n, max_size=n).map(bytes),
    min_size=1, max_size=30)))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_pairs_are_counted_as_one_by_one_and_who_beats_all_wins(papers: list[bytes]) -> None:
    candidates = len(papers[0])
    found = counted(papers, candidates)
    every = range(candidates)
    one_by_one = tuple(
        tuple(sum(1 for paper in papers if 0 < paper[a] < paper[b]) if a != b else 0 for b in every)
        for a in every
    )
    assert found.preferred == one_by_one
    for a in every:
        if all(found.preferred[a][b] > found.preferred[b][a] for b in every if b != a):
            assert found.order[0] == a
    assert counted(papers[::-1], candidates) == found


@pytest.mark.parametrize(
    ("papers", "candidates", "seats", "why"),
    [
        ([b"\x01"], 2, 1, "one rank for each"),
        ([b"\x01"], 1, 0, "at least one seat"),
        ([], 0, 1, "from 1 to"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    papers: list[bytes], candidates: int, seats: int, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        counted(papers, candidates, seats)
