"""Which vote of a seat stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tally.rollcall import Cast, Choice, Count, Place, Standing, count, stand

PLACES = [Place(1, has_casting_vote=True), Place(2), Place(3), Place(4, is_filled=False)]


def casts(*said: tuple[int, Choice]) -> list[Cast]:
    return [Cast(seat, n, choice) for n, (seat, choice) in enumerate(said)]


def test_four_states_are_kept_apart() -> None:
    known = stand(PLACES, casts((1, Choice.ABSTAIN), (2, Choice.RECUSE)))
    assert list(known.values()) == [
        Standing.ABSTAIN,
        Standing.RECUSED,
        Standing.ABSENT,
        Standing.VACANT,
    ]


def test_the_last_vote_of_a_seat_stands() -> None:
    given_votes = casts((1, Choice.NO), (2, Choice.NO), (1, Choice.RECUSE), (1, Choice.YES))
    assert count(PLACES, given_votes) == Count(yes=1, no=1, absent=1, vacant=1, casting=Choice.YES)


@pytest.mark.parametrize("seat", [4, 5])
def test_a_vote_without_a_voter_is_an_error(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat {seat}"):
        stand(PLACES, [Cast(seat, 1, Choice.YES)])


@pytest.mark.parametrize("choice", [Choice.ABSTAIN, Choice.RECUSE])
def test_a_chair_who_takes_no_side_has_no_casting_vote(choice: Choice) -> None:
    assert count(PLACES, casts((1, choice))).casting is None
    assert count([Place(1)], casts((1, Choice.YES))).casting is None


HISTORIES = st.lists(st.tuples(st.integers(1, 7), st.sampled_from(Choice)), max_size=40)


@given(history=HISTORIES, data=st.data())
def test_the_order_of_the_rows_never_changes_the_result(
    history: list[tuple[int, Choice]], data: st.DataObject
) -> None:
    places = [Place(seat, has_casting_vote=seat == 3) for seat in range(1, 8)]
    rows = casts(*history)
    shuffled = data.draw(st.permutations(rows))
    assert count(places, shuffled) == count(places, rows)


@given(history=HISTORIES)
def test_no_voter_counts_twice(history: list[tuple[int, Choice]]) -> None:
    places = [Place(seat) for seat in range(1, 8)]
    found = count(places, casts(*history))
    assert found.seats == 7
    assert found.voted + found.recused == len({seat for seat, _choice in history})
