"""One's own page, the page of a person, and the register of interests."""

from collections.abc import Mapping
from datetime import date

import pytest
from django.test import Client

from governance.models import Affiliation, Body, Interest, SeatTerm
from governance.tests.conftest import START, make_seat, make_vote
from portal.accounts.models import User
from portal.members.tests.people import make_contributor, make_organisation, make_term, make_tier
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
TODAY = START.date()
OWN = "/governance/own/"


def text_of(client: Client, path: str, data: Mapping[str, object] | None = None) -> str:
    answer = client.get(path) if data is None else client.post(path, dict(data), follow=True)
    return " ".join(answer.content.decode().split())


@pytest.fixture
def ada(directors: list[User]) -> Client:
    return sign_in(directors[0])


def people(user: User, page: str = "") -> str:
    return f"/governance/people/{user.pk}/{page}"


def test_a_director_finds_seats_and_what_waits_for_a_vote(
    board: Body, directors: list[User], ada: Client
) -> None:
    make_vote(board, directors, "Keep the key in a module")
    text = text_of(ada, OWN)
    assert "You hold 2 seats" in text
    assert "Waiting for you" in text
    assert "Keep the key in a module" in text


def test_who_holds_no_seat_is_told_so(charlie: User) -> None:
    text = text_of(sign_in(charlie), OWN)
    assert "You hold no seat" in text
    assert "Declare an affiliation" in text


def test_an_affiliation_is_declared_changed_and_taken_back(
    ada: Client, directors: list[User]
) -> None:
    path = people(directors[0], "affiliations/new/")
    sent = {"relation": "employee", "name": "acme", "since": "2025-06-01"}
    make_organisation()
    assert "Declared. It is public" in text_of(ada, path, sent)
    held = Affiliation.objects.get()
    assert held.employer == "Acme"
    assert held.organisation is not None
    assert "“Acme” was declared" in text_of(ada, path, sent)
    assert "Saved." in text_of(ada, held.get_absolute_url(), {"end": "yes", "on": "2025-09-01"})
    held.refresh_from_db()
    assert held.until == date(2025, 9, 1)
    early = {"end": "yes", "on": "2025-01-01"}
    assert "It ends after it begins" in text_of(ada, held.get_absolute_url(), early)
    back = {"retract": "yes", "because": ""}
    assert ada.post(held.get_absolute_url(), back).status_code == 422
    text_of(ada, held.get_absolute_url(), back | {"because": "Wrong firm."})
    assert ada.get(held.get_absolute_url()).status_code == 404
    assert "Nothing was declared yet." in text_of(ada, OWN)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"relation": "employee", "since": "2025-06-01"}, "Name the organisation"),
        (
            {"relation": "independent", "name": "Acme", "since": "2025-06-01"},
            "Who is independent names no organisation.",
        ),
        (
            {"relation": "employee", "name": "A", "since": "2025-06-01", "until": "2025-05-01"},
            "It ends after it begins",
        ),
        ({"name": "Acme"}, "“Relation” is still open: choose one."),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(
    ada: Client, directors: list[User], sent: dict[str, object], told: str
) -> None:
    answer = ada.post(people(directors[0], "affiliations/new/"), sent)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Affiliation.objects.exists()


def test_an_interest_for_the_body_is_not_shown_to_strangers(
    ada: Client, directors: list[User], client: Client
) -> None:
    sent = {"kind": "family", "what": "A sister audits", "audience": "body", "since": "2025-06-01"}
    path = people(directors[0], "interests/new/")
    assert ada.post(path, {"sent": "yes"}).status_code == 422
    assert "It stands in the register" in text_of(ada, path, sent)
    for page in (people(directors[0]), "/governance/interests/"):
        assert "A sister audits" in text_of(sign_in(directors[1]), page)
        assert "A sister audits" not in text_of(client, page)
    csv = b"".join(client.get("/governance/interests.csv")).decode()
    assert "A sister audits" not in csv
    interest = Interest.objects.get()
    assert "A sister audits" in text_of(ada, interest.get_absolute_url())
    assert sign_in(directors[1]).get(interest.get_absolute_url()).status_code == 403


def test_the_register_of_any_day(ada: Client, directors: list[User], client: Client) -> None:
    person = directors[0]
    text_of(
        ada,
        people(person, "affiliations/new/"),
        {"relation": "employee", "name": "Acme", "since": "2025-06-01", "until": "2025-09-01"},
    )
    text_of(
        ada,
        people(person, "interests/new/"),
        {"kind": "shares", "what": "=Shares", "audience": "public", "since": "2025-06-01"},
    )
    assert "Acme" in text_of(client, "/governance/interests/?on=2025-07-01")
    assert "Acme" not in text_of(client, "/governance/interests/?on=2025-09-01")
    assert "Nobody held a seat" in text_of(client, "/governance/interests/?on=2001-01-01")
    assert "That is not a date" in text_of(client, "/governance/interests/?on=x")
    csv = client.get("/governance/interests.csv?on=2025-07-01")
    rows = b"".join(csv).decode().splitlines()
    assert rows[1].startswith('Ada,"Board, seat 1; Board, Chair",affiliation,employee,Acme')
    assert "'=Shares" in rows[2]


def test_the_secretary_declares_for_who_holds_a_seat_and_for_nobody_else(
    board: Body, directors: list[User], charlie: User, frank: User
) -> None:
    staff = sign_in(frank)
    text = text_of(staff, people(directors[1], "affiliations/new/"))
    assert "For whom does Bea work?" in text
    sent = {"relation": "independent", "since": "2025-06-01"}
    assert "Independent" in text_of(staff, people(directors[1], "affiliations/new/"), sent)
    assert Affiliation.objects.get().declared_by == frank
    assert staff.get(people(charlie, "affiliations/new/")).status_code == 403


def test_a_person_has_a_page_once_they_held_a_seat(
    client: Client, board: Body, directors: list[User], charlie: User
) -> None:
    assert client.get(people(charlie)).status_code == 404
    SeatTerm.objects.filter(user=directors[1]).update(until=TODAY, ending="resigned")
    text = text_of(client, people(directors[1]))
    assert "Holds no seat now." in text
    assert "resigned" in text
    seat = make_seat(board, 30)
    SeatTerm.objects.create(seat=seat, user=directors[1], since=date(2100, 1, 1))
    assert "To come" in text_of(client, people(directors[1]))


def test_a_class_is_counted_from_the_register_of_members(
    client: Client, bob: User, frank: User, charlie: User
) -> None:
    make_term(make_organisation(), make_tier(seats=2), START)
    make_contributor(bob, frank, START, email=charlie.email)
    for slug, kind, who in (
        ("corporate", "membership", "members"),
        ("merit", "membership", "contributors"),
        ("advice", "advisory", ""),
    ):
        Body.objects.create(slug=slug, name=slug, kind=kind, constituency=who, since=TODAY)
    assert "1 member on this day; 0 may vote." in text_of(client, "/governance/bodies/corporate/")
    assert "1 member on this day" in text_of(client, "/governance/bodies/merit/")
    assert "0 people on this day" in text_of(client, "/governance/bodies/advice/")
