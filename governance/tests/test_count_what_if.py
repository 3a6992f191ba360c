"""What if it had been counted otherwise: what can be asked, what comes of it, how long it takes."""

from __future__ import annotations

import pytest

from governance.elections import what_if
from governance.elections.what_if import Choice, ChoiceError, TooMuchError
from governance.elections.what_if_page import refused, what_if_page
from governance.tally.contest import Contest
from governance.tally.formats.sheet import as_ranks
from governance.tally.ties import Lot
from governance.tests.count_samples import NAMES, PAPERS, SEED, counted

CAPPED = Contest("scottish-stv", 5, 3, {0: "Acme", 2: "Acme"}, most=1)
HELD = counted(CAPPED)


def asked(choice: Choice) -> what_if.Compared:
    return what_if.compare(PAPERS, CAPPED, choice, elected=HELD.elected, lot=Lot(SEED))


def test_asked_as_it_was_held_the_same_are_elected() -> None:
    found = asked(what_if.as_held(CAPPED))
    assert set(found.elected) == set(HELD.elected)
    assert (found.gained, found.lost) == ((), ())


def test_without_the_limit_somebody_else_is_elected() -> None:
    found = asked(Choice("scottish-stv", 3, is_limited=False))
    assert [NAMES[one] for one in found.gained] == ["Charlie"]
    assert [NAMES[one] for one in found.lost] == ["Bob"]
    page = what_if_page(HELD, found.choice, found)
    assert page.answer == "Charlie would be elected instead of Bob."
    assert "Without the limit of seats for one affiliation." in page.notes
    assert [row.name for row in page.rows if row.here != row.stands] == ["Bob", "Charlie"]


@pytest.mark.parametrize("method", what_if.FROM_RANKING)
def test_a_ranking_is_counted_by_every_method(method: str) -> None:
    seats = 1 if method == "irv" else 2
    found = asked(Choice(method, seats, without=(4,)))
    assert len(found.elected) == seats
    assert 4 not in found.elected
    page = what_if_page(HELD, found.choice, found)
    assert page.answer
    assert "As if Erin had not stood." in page.notes
    assert [option.value for option in page.methods if option.is_chosen] == [method]


def test_more_seats_bring_somebody_in_and_fewer_leave_somebody_out() -> None:
    more = asked(Choice("scottish-stv", 4, is_limited=False))
    assert what_if_page(HELD, more.choice, more).answer == "Charlie would be elected as well."
    fewer = asked(Choice("scottish-stv", 1))
    assert what_if_page(HELD, fewer.choice, fewer).answer.endswith("would not be elected.")


def test_ranks_and_marks_are_counted_by_their_own_method_only() -> None:
    assert what_if.methods(Contest("schulze", 5, 2, {})) == ("schulze",)
    assert what_if.methods(Contest("approval", 5, 2, {})) == ("approval",)
    assert what_if.is_asked_of(Contest("approval", 5, 2, {}))
    assert not what_if.is_asked_of(Contest("yes-no", 2, 1, {}))
    ranks = [as_ranks(paper, 5) for paper in PAPERS]
    contest = Contest("schulze", 5, 2, {})
    found = what_if.compare(ranks, contest, Choice("schulze", 3), elected=(), lot=Lot(SEED))
    assert len(found.elected) == 3


@pytest.mark.parametrize(
    "choice",
    [
        Choice("scottish-stv", 3),
        Choice("meek-stv", 2, (1, 4), is_limited=False),
        Choice("irv", 1, (0,)),
    ],
)
def test_the_parameters_of_an_address_say_the_choice(choice: Choice) -> None:
    query: dict[str, list[str]] = {}
    for name, value in what_if.query(choice, CAPPED):
        query.setdefault(name, []).append(value)
    assert what_if.read(query, CAPPED) == choice


@pytest.mark.parametrize(
    "query",
    [
        {"method": ["guesswork"]},
        {"seats": ["0"]},
        {"seats": ["6"]},
        {"seats": ["²"]},
        {"seats": ["9999"]},
        {"without": ["5"]},
        {"without": ["x"]},
        {"without": ["0", "1", "2", "3", "4"]},
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(query: dict[str, list[str]]) -> None:
    with pytest.raises(ChoiceError) as found:
        what_if.read(query, CAPPED)
    assert "Choose again" in refused(found.value)


def test_nobody_left_to_stand_is_refused() -> None:
    with pytest.raises(ChoiceError):
        what_if.compare(
            PAPERS,
            CAPPED,
            Choice("irv", 1, (0, 1)),
            elected=(),
            lot=Lot(SEED),
            absent=(2, 3, 4),
        )


def test_a_count_that_takes_too_long_is_refused_before_it_begins() -> None:
    """100,000 papers of 12 candidates are counted by every method; 100 candidates pairwise not."""
    usual = Contest("schulze", 12, 6, {}, most=2)
    assert what_if.work(100_000, usual) < what_if.MOST_WORK
    assert what_if.work(100_000, Contest("meek-stv", 12, 6, {}, most=2)) < what_if.MOST_WORK
    huge = Contest("schulze", 250, 6, {})
    papers = [bytes(250)] * 10_000
    with pytest.raises(TooMuchError) as found:
        what_if.compare(papers, huge, what_if.as_held(huge), elected=(), lot=Lot(SEED))
    assert "recount.py" in refused(found.value)
