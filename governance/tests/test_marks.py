"""Approval and plurality."""

from __future__ import annotations

import pytest

from governance.tally import marks
from governance.tests.papers import LOT, papers


def test_approval_elects_whom_most_papers_mark() -> None:
    found = marks.count("approval", papers("3: A B", "2: B C", "C"), candidates=3, seats=2, lot=LOT)
    assert (found.votes, found.order, found.elected) == ((3, 5, 3), found.order, found.order[:2])
    assert found.order[0] == 1
    (tie,) = found.ties
    assert (tie.candidates, tie.chosen) == ((0, 2), LOT.first(1, [0, 2]))


def test_plurality_counts_as_many_marks_as_there_are_seats() -> None:
    found = marks.count("plurality", papers("3: A B", "2: C"), candidates=3, seats=2, lot=LOT)
    assert found.votes == (3, 3, 2)
    assert set(found.elected) == {0, 1}


def test_a_paper_with_more_marks_than_seats_is_refused_by_plurality_alone() -> None:
    many = papers("A B C")
    with pytest.raises(ValueError, match="more marks than there are seats"):
        marks.count("plurality", many, candidates=3, seats=2, lot=LOT)
    assert marks.count("approval", many, candidates=3, seats=2, lot=LOT).valid == 1


def test_a_contest_without_a_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        marks.count("approval", [], candidates=1, seats=0, lot=LOT)
