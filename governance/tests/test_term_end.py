"""Letters before terms end, once each: to the holder, and to who has to see to the seat."""

from datetime import date, timedelta

import pytest
from pytest_django import Settings

from governance.actions.seat import seat_person
from governance.actions.term_end import announce_ends, keepers
from governance.models import Body, SeatTerm
from governance.tests.conftest import DAY, START, make_seat
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db
TODAY = START.date()


@pytest.fixture
def ending(board: Body, directors: list[User]) -> SeatTerm:
    """Bea's term, which ends in 80 days."""
    return ends_in(directors[1], 80)


def ends_in(person: User, days: int) -> SeatTerm:
    term = SeatTerm.objects.voting().get(user=person)
    term.until = TODAY + timedelta(days=days)
    term.save()
    return term


def letters(kind: str) -> list[OutboxMail]:
    return list(OutboxMail.objects.filter(key__startswith=f"{kind}:").order_by("pk"))


def test_holder_and_chair_are_told_once_at_each_of_the_days(
    ending: SeatTerm, directors: list[User]
) -> None:
    for _twice in range(2):
        assert announce_ends(at=START) == 1
    [holder], [chair] = letters("term_ends"), letters("terms_end")
    assert (holder.recipient, chair.recipient) == (directors[1].email, directors[0].email)
    assert "Nobody is named yet" in holder.text
    assert "seat 2, Bea" in chair.text
    assert "/governance/bodies/board/seats/" in chair.text
    announce_ends(at=START + 20 * DAY)
    assert len(letters("term_ends")) == 1
    announce_ends(at=START + 50 * DAY)
    announce_ends(at=START + 60 * DAY)
    assert len(letters("term_ends")) == len(letters("terms_end")) == 2


def test_terms_that_end_on_one_day_are_one_letter_to_the_secretary(
    ending: SeatTerm, board: Body, directors: list[User]
) -> None:
    ends_in(directors[2], 80)
    secretary = make_person("sec")
    seat = make_seat(board, 10, is_voting=False, office="secretary")
    seat_person(actor=None, seat=seat, user=secretary, since=date(2026, 1, 1))
    announce_ends(at=START)
    [letter] = letters("terms_end")
    assert letter.recipient == secretary.email
    assert "2 terms end" in letter.subject
    assert len(letters("term_ends")) == 2


def test_who_goes_on_is_told_nothing_and_who_is_followed_reads_by_whom(
    ending: SeatTerm, directors: list[User], charlie: User
) -> None:
    assert ending.until
    going_on = ends_in(directors[2], 20)
    assert going_on.until
    seat_person(actor=None, seat=going_on.seat, user=directors[2], since=going_on.until)
    seat_person(actor=None, seat=ending.seat, user=charlie, since=ending.until)
    announce_ends(at=START)
    [letter] = letters("term_ends")
    assert "Charlie takes the seat then." in letter.text
    assert not letters("terms_end")


def test_nothing_is_said_of_terms_that_end_later_or_ended(
    directors: list[User], settings: Settings
) -> None:
    ends_in(directors[1], 91)
    ends_in(directors[2], 0)
    assert announce_ends(at=START) == 0
    settings.TERM_LETTER_DAYS = [120]
    assert announce_ends(at=START) == 1
    settings.TERM_LETTER_DAYS = []
    assert announce_ends(at=START) == 0


def test_staff_keep_the_seats_where_nobody_else_does(board: Body, frank: User) -> None:
    assert keepers(board, START + DAY) == [frank]
