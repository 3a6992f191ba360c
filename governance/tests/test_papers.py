"""Ballot papers: which can be counted, and how they are sorted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tally.papers import Paper, by_next, checked, without
from governance.tests.papers import contests, papers


def test_papers_that_rank_nobody_are_left_out() -> None:
    assert checked([b"", b"\x01", b""], 2) == [b"\x01"]


@pytest.mark.parametrize(
    ("found", "candidates", "why"),
    [
        ([b"\x00", b"\x01\x02"], 2, "does not stand"),
        ([b"\x00", b"\x01\x00\x01"], 2, "twice"),
        ([], 0, "from 1 to 250"),
        ([], 251, "from 1 to 250"),
    ],
)
def test_what_cannot_be_counted_is_refused(found: list[Paper], candidates: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        checked(found, candidates)


def test_papers_go_to_the_first_who_is_left() -> None:
    found = by_next(papers("2: A B", "B A", "A"), gone=bytes([0]))
    assert {one: len(pile) for one, pile in found.items()} == {1: 3, None: 1}
    assert by_next([], gone=b"") == {}


@given(contests(), st.sets(st.integers(0, 6)))
def test_sorted_papers_are_those_that_were_there(
    contest: tuple[list[Paper], int, int], gone: set[int]
) -> None:
    found = by_next(contest[0], bytes(gone))
    kept = [bytes(one for one in paper if one not in gone) for paper in contest[0]]
    assert sorted(paper for pile in found.values() for paper in pile) == sorted(kept)
    for first, pile in found.items():
        assert {paper[0] if paper else None for paper in pile} == {first}


def test_a_withdrawn_candidate_can_be_taken_off_every_paper() -> None:
    assert without(papers("A B C", "B"), [1]) == papers("A C")
