"""What the secretary has to do about a vacant seat, by the rules of the body."""

from datetime import date, timedelta

import pytest

from governance.actions.body import save_body
from governance.actions.seat import end_term, seat_person
from governance.bodies.duties import Duty, duties, next_election, usual_end
from governance.bodies.vacancies import filling, vacancies
from governance.models import Body, Seat, SeatTerm
from governance.tests.conftest import START, make_decided, make_rules, make_seat
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
TODAY = START.date()
LEFT = TODAY - timedelta(days=100)
DESK = "/governance/bodies/board/seats/"


@pytest.fixture
def seat(board: Body, directors: list[User]) -> Seat:
    """Seat 5: Eve was elected by corporate members for two years, and resigned 100 days ago."""
    SeatTerm.objects.filter(user=directors[4]).delete()
    seat = board.seats.get(number=5)
    seat.term_months = 24
    seat.save()
    term = seat_person(
        actor=None,
        seat=seat,
        user=directors[4],
        since=LEFT - timedelta(days=100),
        until=TODAY + timedelta(days=400),
        entry=SeatTerm.Entry.ELECTED,
    )
    end_term(actor=None, term=term, on=LEFT, ending=SeatTerm.Ending.RESIGNED)
    return seat


def duty(body: Body, seat: Seat) -> Duty:
    places = body.seats.places(TODAY)
    found = duties(places, vacancies(places, TODAY), filling(body, TODAY), TODAY)
    return next(each for each in found if each.vacancy.seat == seat)


def told(body: Body, seat: Seat) -> str:
    return " ".join(step.text for step in duty(body, seat).steps)


@pytest.mark.parametrize(
    ("rule", "words", "entry"),
    [
        ("body", "The members who remain appoint", "rest"),
        ("same_class", "Nobody is left of this constituency", "rest"),
        ("special_election", "Call the election", "elected"),
        ("countback", "counted again without Eve", "countback"),
        ("nobody", "stays vacant until the next election", "rest"),
    ],
)
def test_every_way_of_filling_says_what_to_do_and_the_form_follows(
    board: Body, seat: Seat, frank: User, rule: str, words: str, entry: str
) -> None:
    make_rules(board, vacancy_filled_by=rule, vacancy_clause="Bylaw 4.6")
    assert words in told(board, seat)
    page = sign_in(frank).get(DESK).content.decode()
    assert "Vacant: what to do now" in page
    assert words in page
    form = sign_in(frank).get(f"{DESK}5/fill/").content.decode()
    assert f'<option value="{entry}" selected>' in form


def test_those_of_the_same_constituency_are_named(board: Body, directors: list[User]) -> None:
    make_rules(board, vacancy_filled_by="same_class")
    SeatTerm.objects.filter(user=directors[3]).delete()
    assert "Ada, Bea, Cyd" in told(board, board.seats.get(number=4))


def test_what_is_late_is_first_and_marked(board: Body, seat: Seat, frank: User) -> None:
    make_rules(board, vacancy_days=90)
    found = duty(board, seat)
    assert (found.due_on, found.is_overdue) == (LEFT + timedelta(days=90), True)
    page = sign_in(frank).get(DESK).content.decode()
    assert "overdue" in page
    assert page.index("Seat 5") < page.index("Seat 6")


def test_a_named_successor_leaves_nothing_to_do(board: Body, seat: Seat, charlie: User) -> None:
    seat_person(
        actor=None,
        seat=seat,
        user=charlie,
        since=TODAY + timedelta(days=9),
        until=TODAY + timedelta(days=90),
    )
    assert "Nothing: Charlie takes it" in told(board, seat)


def test_without_an_election_on_record_there_is_nothing_to_count_again(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, vacancy_filled_by="countback")
    vacant = board.seats.get(number=6)
    assert "No election of this seat is on record" in told(board, vacant)


def test_the_count_leads_to_its_resolution_and_the_class_to_its_page(
    board: Body, seat: Seat, directors: list[User]
) -> None:
    decided = make_decided(board, directors[:4], "Elect Eve", dict.fromkeys(range(4), "yes"))
    SeatTerm.objects.filter(seat=seat).update(decided_by=decided)
    Body.objects.create(
        slug="members",
        name="Members",
        kind="membership",
        constituency="members",
        since=date(2020, 1, 1),
    )
    make_rules(board, vacancy_filled_by="countback")
    assert duty(board, seat).steps[0].url == decided.get_absolute_url()
    make_rules(board, vacancy_filled_by="special_election")
    assert duty(board, seat).steps[0].url == "/governance/bodies/members/"


def test_offices_are_filled_by_the_body_and_rules_may_be_missing(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, vacancy_filled_by="countback")
    adviser = board.seats.get(office="adviser")
    assert "The members who remain appoint" in told(board, adviser)
    board.rule_sets.all().delete()
    vacant = board.seats.get(number=6)
    assert "No rules of this body are in force" in told(board, vacant)
    assert duty(board, vacant).steps[0].url == "/governance/rules/new/?body=board"


def test_in_a_new_body_nobody_remains_who_could_appoint() -> None:
    body = save_body(
        actor=None, body=Body(slug="new", name="New", kind="committee", since=date(2026, 1, 1))
    )
    seat = make_seat(body, 1)
    for _rules in range(2):
        assert "who was named when the body was founded" in told(body, seat)
        make_rules(body)


@pytest.mark.parametrize(
    ("term", "days"), [("rest_of_term", 400), ("next_election", 200), ("full_term", None)]
)
def test_until_when_the_rules_seat_who_fills_it(
    board: Body, seat: Seat, directors: list[User], term: str, days: int | None
) -> None:
    other = board.seats.get(number=6)
    seat_person(
        actor=None,
        seat=other,
        user=directors[4],
        since=TODAY - timedelta(days=9),
        until=TODAY + timedelta(days=200),
    )
    make_rules(board, vacancy_term=term)
    [vacancy] = vacancies(Seat.objects.filter(pk=seat.pk).places(TODAY), TODAY)
    wanted = TODAY + timedelta(days=days) if days else seat.full_term(TODAY)
    assert usual_end(vacancy, filling(board, TODAY), TODAY) == wanted
    assert next_election(seat, TODAY) == TODAY + timedelta(days=200)
