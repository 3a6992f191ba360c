"""Who sits where on which day, and the role that goes with it."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from governance.actions.body import abolish_seat
from governance.actions.seat import end_term, seat_person
from governance.actions.seat_role import correct_roles, midnight
from governance.models import Body, Seat, SeatTerm
from governance.refusals import Refusal
from governance.tests.conftest import DAY, FOUNDED, SEATED, START, make_seat
from portal.accounts.actions.role import grant_role, revoke_role
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope, has_role

pytestmark = pytest.mark.django_db
TODAY = START.date()
LATER = TODAY + timedelta(days=30)


def is_director(user: User, day: date = TODAY) -> bool:
    return has_role(
        user, Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board", at=midnight(day)
    )


def holder(body: Body, number: int, on: date) -> str | None:
    [place] = [place for place in body.seats.places(on) if place.seat.number == number]
    return str(place.term.user) if place.term else None


def test_who_sat_where_is_a_question_about_a_date(board: Body, directors: list[User]) -> None:
    assert holder(board, 1, SEATED) == "Ada"
    assert holder(board, 1, SEATED - timedelta(days=1)) is None
    assert holder(board, 6, TODAY) is None
    assert SeatTerm.objects.seated_on(TODAY).voting().count() == 5


def test_a_term_ends_on_the_first_day_without_them(board: Body, directors: list[User]) -> None:
    term = SeatTerm.objects.get(seat__number=2)
    end_term(actor=None, term=term, on=LATER)
    assert holder(board, 2, LATER - timedelta(days=1)) == "Bea"
    assert holder(board, 2, LATER) is None
    with pytest.raises(Refusal, match="ends after it begins"):
        end_term(actor=None, term=term, on=term.since)


def test_a_voting_seat_brings_the_role_for_its_term(
    board: Body, directors: list[User], charlie: User
) -> None:
    seat = board.seats.get(number=6)
    term = seat_person(actor=None, seat=seat, user=charlie, since=TODAY, until=LATER)
    assert is_director(charlie)
    assert not is_director(charlie, LATER)
    sooner = TODAY + timedelta(days=3)
    end_term(actor=None, term=term, on=sooner)
    assert not is_director(charlie, sooner)
    assert is_director(directors[0], LATER)


def test_an_adviser_gets_no_role(board: Body, charlie: User) -> None:
    adviser = board.seats.get(office=Seat.Office.ADVISER)
    term = seat_person(actor=None, seat=adviser, user=charlie, since=TODAY)
    assert not is_director(charlie)
    end_term(actor=None, term=term, on=LATER)
    assert str(term) == "Charlie, Board, Adviser"


def test_a_seat_holds_one_person_and_a_person_one_vote(
    board: Body, directors: list[User], charlie: User
) -> None:
    with pytest.raises(Refusal, match="Ada holds this seat"):
        seat_person(actor=None, seat=board.seats.get(number=1), user=charlie, since=TODAY)
    with pytest.raises(Refusal, match="one vote"):
        seat_person(actor=None, seat=board.seats.get(number=6), user=directors[1], since=TODAY)


def test_the_database_refuses_two_people_in_a_seat(board: Body, directors: list[User]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatTerm.objects.create(
            seat=board.seats.get(number=1), user=directors[1], since=TODAY, until=LATER
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatTerm.objects.create(
            seat=board.seats.get(number=7), user=directors[1], since=TODAY, until=TODAY
        )


def test_terms_follow_each_other_without_a_gap(board: Body, charlie: User) -> None:
    seat = board.seats.get(number=6)
    seat_person(actor=None, seat=seat, user=charlie, since=SEATED, until=TODAY)
    seat_person(actor=None, seat=seat, user=charlie, since=TODAY)
    assert is_director(charlie)
    assert is_director(charlie, LATER)


def test_a_grant_that_was_there_before_is_kept(board: Body, bob: User) -> None:
    seat_person(actor=None, seat=board.seats.get(number=6), user=bob, since=SEATED)
    assert RoleGrant.objects.of(bob).count() == 1


def test_the_sweep_makes_roles_match_seats(
    board: Body, directors: list[User], charlie: User
) -> None:
    at = START
    revoke_role(
        actor=None,
        user=directors[0],
        role=Role.DIRECTOR,
        scope_kind=Scope.BODY,
        scope_slug="board",
        at=at - DAY,
    )
    grant_role(
        actor=None,
        user=charlie,
        role=Role.DIRECTOR,
        scope_kind=Scope.BODY,
        scope_slug="board",
        since=at - DAY,
    )
    assert correct_roles(at=at) == 2
    assert has_role(directors[0], Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board", at=at)
    assert not is_director(charlie, LATER)
    assert correct_roles(at=at) == 0


def test_an_abolished_seat_is_gone_from_its_day(board: Body) -> None:
    seat = make_seat(board, 20)
    abolish_seat(actor=None, seat=seat, on=TODAY)
    assert seat in Seat.objects.existing(TODAY - timedelta(days=1))
    assert seat not in Seat.objects.existing(TODAY)


def test_a_seat_has_either_a_vote_or_an_office(board: Body) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_seat(board, 30, office=Seat.Office.CHAIR)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_seat(board, 31, is_voting=False)


def test_a_role_for_all_bodies_of_a_kind_opens_each(board: Body, charlie: User) -> None:
    grant_role(actor=None, user=charlie, role=Role.DIRECTOR, scope_kind=Scope.BODY)
    assert board in Body.objects.of_voter(charlie, START + DAY)
    assert Body.objects.existing(FOUNDED).count() == 1
