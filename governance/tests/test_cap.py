"""One employer holds so many of the voting seats and no more, unless an exception says why."""

import pytest

from governance.actions.affiliation import declare_affiliation
from governance.actions.seat import seat_person
from governance.bodies.caps import cap_of, exceeding
from governance.bodies.vacancies import filling, shown, vacancies
from governance.models import Affiliation, Body, RuleSet
from governance.refusals import NeedsException
from governance.tests.conftest import START, make_rules
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db
TODAY = START.date()


@shared
def capped(board: Body) -> Body:
    """A third of seven seats: two."""
    make_rules(board, cap_share="third", cap_clause="Bylaw 4.2", vacancy_days=90)
    return board


def works_for(user: User, name: str = "Acme") -> None:
    declare_affiliation(
        actor=user, user=user, relation=Affiliation.Relation.EMPLOYEE, name=name, since=TODAY
    )


def test_the_third_of_an_employer_is_refused_with_the_numbers(
    capped: Body, directors: list[User], charlie: User
) -> None:
    for person in (*directors[:2], charlie):
        works_for(person)
    seat = capped.seats.get(number=6)
    with pytest.raises(NeedsException, match=r"Acme would hold 3 .* may hold 2\. \(Bylaw 4\.2\)"):
        seat_person(actor=None, seat=seat, user=charlie, since=TODAY)
    term = seat_person(actor=None, seat=seat, user=charlie, since=TODAY, exception="For a year.")
    assert term.exception == "For a year."
    [(employer, cap)] = exceeding(capped, TODAY)
    assert (employer.name, employer.seats, cap.most) == ("Acme", 3, 2)


def test_what_is_stated_with_the_term_counts_where_nothing_was_declared(
    capped: Body, directors: list[User], charlie: User
) -> None:
    for person in directors[:2]:
        works_for(person)
    seat = capped.seats.get(number=6)
    with pytest.raises(NeedsException):
        seat_person(actor=None, seat=seat, user=charlie, since=TODAY, affiliation="ACME")
    seat_person(actor=None, seat=seat, user=charlie, since=TODAY, affiliation="Independent")
    assert exceeding(capped, TODAY) == []


def test_offices_and_bodies_without_a_limit_are_not_asked(
    board: Body, directors: list[User], charlie: User
) -> None:
    assert cap_of(board, 7, TODAY) is None
    assert exceeding(board, TODAY) == []
    make_rules(board, cap_seats=1)
    works_for(charlie)
    works_for(directors[0])
    adviser = board.seats.get(office="adviser")
    seat_person(actor=None, seat=adviser, user=charlie, since=TODAY)


def test_the_strictest_of_the_rules_in_force_counts(capped: Body) -> None:
    make_rules(capped, subject="bylaws", cap_seats=1)
    cap = cap_of(capped, 7, TODAY)
    assert cap is not None
    assert cap.most == 1


def test_a_vacancy_says_how_and_by_when_it_is_filled(capped: Body, directors: list[User]) -> None:
    assert RuleSet.objects.in_force(TODAY).filter(body=capped).count() == 1
    how = filling(capped, TODAY)
    assert how is not None
    assert "within 90 days" in " ".join(how.sentences)
    places = capped.seats.places(TODAY)
    [first, _second] = shown(vacancies(places, TODAY), how, TODAY)
    assert (first.due_on, first.rest_until) == (None, None)  # nobody held it before


def test_a_body_without_rules_says_nothing(capped: Body) -> None:
    other = Body.objects.create(slug="x", name="X", kind="committee", since=TODAY)
    assert filling(other, TODAY) is None
