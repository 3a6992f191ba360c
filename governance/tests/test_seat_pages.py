"""The desk of a body's seats: found, make, fill, end, abolish, dissolve."""

from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from governance.actions.seat import seat_person
from governance.models import Body, Seat, SeatTerm
from governance.tests.conftest import START, make_decided, make_rules, make_seat
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db
TODAY = START.date()
DESK = "/governance/bodies/board/seats/"


@pytest.fixture
def staff(frank: User) -> Client:
    return sign_in(frank)


def text_of(client: Client, path: str, data: Mapping[str, object] | None = None) -> str:
    answer = client.get(path) if data is None else client.post(path, dict(data), follow=True)
    return " ".join(answer.content.decode().split())


def filled(charlie: User, **changed: object) -> dict[str, object]:
    return {
        "user": charlie.email,
        "since": TODAY,
        "entry": "appointed",
        "affiliation": "Acme",
        "tell": "on",
    } | changed


def test_a_body_is_founded_described_and_dissolved(staff: Client) -> None:
    wanted = {
        "name": "Fair committee",
        "slug": "fair",
        "kind": "committee",
        "purpose": "Plans the fair.",
        "since": TODAY,
        "position": 50,
    }
    text = text_of(staff, "/governance/bodies/new/", wanted)
    assert "“Fair committee” is founded" in text
    assert "No seats yet" in text
    text = text_of(
        staff,
        "/governance/bodies/fair/edit/",
        {"name": "Fair", "purpose": "Plans.", "position": 50},
    )
    assert "Seats: Fair" in text
    later = TODAY + timedelta(days=30)
    assert "choose a later day" in text_of(
        staff, "/governance/bodies/fair/dissolve/", {"on": TODAY}
    )
    text_of(staff, "/governance/bodies/fair/dissolve/", {"on": later})
    assert Body.objects.get(slug="fair").until == later


def test_an_address_that_a_page_has_and_a_class_without_members_are_refused(staff: Client) -> None:
    wanted = {"name": "N", "slug": "new", "kind": "membership", "purpose": "x", "since": TODAY}
    answer = staff.post("/governance/bodies/new/", {**wanted, "position": 1})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "This address is taken by a page" in text
    staff.post("/governance/bodies/new/", {**wanted, "slug": "class", "position": 1})
    assert not Body.objects.filter(slug="class").exists()


def test_seats_are_made_changed_and_abolished(staff: Client, board: Body) -> None:
    wanted = {
        "office": "",
        "count": 2,
        "constituency": "members",
        "cohort": "even years",
        "term_months": 24,
        "break_months": 12,
        "since": TODAY,
    }
    assert "2 seats are made." in text_of(staff, f"{DESK}new/", wanted)
    made = board.seats.get(number=11)
    assert (made.is_voting, made.cohort, made.term_months) == (True, "even years", 24)
    changed = {"constituency": "appointed", "cohort": "odd years", "break_months": 0}
    assert "Saved." in text_of(staff, f"{DESK}11/", changed)
    made.refresh_from_db()
    assert (made.constituency, made.term_months) == ("appointed", None)
    assert "choose a later day" in text_of(staff, f"{DESK}11/abolish/", {"on": TODAY})
    later = TODAY + timedelta(days=1)
    assert "The seat is abolished" in text_of(staff, f"{DESK}11/abolish/", {"on": later})
    assert "It is abolished on" in text_of(staff, f"{DESK}11/")
    assert "nonsense" not in text_of(staff, f"{DESK}11/abolish/", {"on": "nonsense"})


def test_a_seat_with_a_vote_is_refused_where_nobody_votes(staff: Client) -> None:
    Body.objects.create(slug="office", name="Office", kind="staff", since=TODAY)
    wanted = {"count": 1, "constituency": "appointed", "break_months": 1, "since": TODAY}
    path = "/governance/bodies/office/seats/new/"
    assert staff.post(path, wanted).status_code == 422
    text_of(staff, path, {**wanted, "office": "executive", "title": "Director"})
    assert Seat.objects.get(body__slug="office").label == "Director"


def test_a_vacant_seat_is_filled_and_the_person_gets_a_letter(
    staff: Client, board: Body, charlie: User
) -> None:
    assert "Charlie has seat 6." in text_of(staff, f"{DESK}6/fill/", filled(charlie))
    term = SeatTerm.objects.get(user=charlie)
    assert (term.since, term.affiliation, term.entry) == (TODAY, "Acme", "appointed")
    letter = OutboxMail.objects.get(recipient=charlie.email)
    assert "Board, seat 6" in letter.text
    assert "/governance/own/" in letter.text
    assert letter.about == "body:board"
    assert "Charlie holds this seat" in text_of(staff, f"{DESK}6/fill/", filled(charlie))


def test_who_has_no_account_is_named_and_nothing_typed_is_lost(
    staff: Client, board: Body, charlie: User
) -> None:
    answer = staff.post(f"{DESK}6/fill/", filled(charlie, user="x@example.org"))
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Nobody has an account with this address" in text
    assert 'value="Acme"' in text
    assert staff.post(f"{DESK}6/fill/", {"sent": "yes"}).status_code == 422


def test_a_limit_asks_for_an_exception_beside_its_field(
    staff: Client, board: Body, directors: list[User], charlie: User
) -> None:
    make_rules(board, cap_seats=1)
    SeatTerm.objects.filter(user=directors[0]).update(affiliation="Acme")
    assert "Acme would hold 2 voting seats" in text_of(staff, f"{DESK}6/fill/", filled(charlie))
    text_of(staff, f"{DESK}6/fill/", filled(charlie, exception="Until the election."))
    text = text_of(staff, DESK)
    assert "Acme holds 2 voting seats; 1 are allowed" in text
    assert "Until the election." in text
    assert "exception: Until the election." in text_of(staff, "/governance/board/")


def test_the_form_proposes_the_rest_of_a_term_that_ended_early(
    staff: Client, board: Body, charlie: User
) -> None:
    seat = make_seat(board, 20, constituency="members", term_months=24, cohort="even years")
    since, until = TODAY - timedelta(days=100), TODAY + timedelta(days=300)
    seat_person(actor=None, seat=seat, user=charlie, since=since, until=until)
    text = text_of(staff, f"{DESK}20/fill/")
    assert f'value="{until}"' in text  # whoever follows begins where the present term ends
    ended = {"on": TODAY, "ending": "resigned", "tell": "on"}
    term = SeatTerm.objects.get()
    assert "the seat is vacant then" in text_of(staff, f"/governance/terms/{term.pk}/end/", ended)
    assert "your term ends" in OutboxMail.objects.get().text
    text = text_of(staff, f"{DESK}20/fill/")
    assert '<option value="rest" selected>' in text
    assert f'value="{until}"' in text
    assert "rest of the term until" in text_of(staff, DESK)
    text = text_of(staff, "/governance/board/")
    assert "Charlie, resigned" in text


def test_a_term_is_not_ended_before_it_began(
    staff: Client, board: Body, directors: list[User]
) -> None:
    term = SeatTerm.objects.filter(user=directors[1]).get()
    path = f"/governance/terms/{term.pk}/end/"
    assert "ends after it begins" in text_of(staff, path, {"on": term.since})
    assert staff.post(path, {"sent": "yes"}).status_code == 422


def test_the_desk_shows_who_follows_what_ends_and_cohorts_that_drifted(
    staff: Client, board: Body, directors: list[User], charlie: User
) -> None:
    soon = TODAY + timedelta(days=40)
    Seat.objects.filter(number__in=[1, 2, 6], body=board).update(cohort="odd years")
    SeatTerm.objects.filter(user=directors[1]).update(until=soon)
    SeatTerm.objects.filter(user=directors[0], seat__number=1).update(
        until=soon + timedelta(days=1)
    )
    seat_person(actor=None, seat=board.seats.get(number=6), user=charlie, since=soon)
    text = text_of(staff, DESK)
    assert "not together" in text
    assert "Charlie from" in text
    assert "Ends soon" in text


def test_the_secretary_of_a_body_keeps_its_seats_and_no_others(board: Body, charlie: User) -> None:
    seat = make_seat(board, 20, is_voting=False, office="secretary")
    person = make_person("sam")
    TOTP.activate(person, generate_totp_secret())
    seat_person(actor=None, seat=seat, user=person, since=date(2025, 1, 1))
    Body.objects.create(slug="other", name="Other", kind="council", since=TODAY)
    secretary = sign_in(person)
    assert "Charlie has seat 6." in text_of(secretary, f"{DESK}6/fill/", filled(charlie))
    assert secretary.get("/governance/bodies/other/seats/").status_code == 403
    assert secretary.get("/governance/bodies/board/dissolve/").status_code == 403


def test_terms_leave_as_csv(
    client: Client, board: Body, directors: list[User], charlie: User
) -> None:
    decided = make_decided(board, directors, "Appoint Charlie", dict.fromkeys(range(4), "yes"))
    seat = board.seats.get(number=6)
    seat_person(
        actor=None,
        seat=seat,
        user=charlie,
        since=TODAY,
        affiliation="=1+1",
        decided_by=decided,
    )
    answer = client.get("/governance/bodies/board/terms.csv")
    lines = b"".join(answer).decode().splitlines()
    assert lines[0].startswith("person,seat,office,constituency")
    [row] = [line for line in lines if line.startswith("Charlie")]
    assert f"'=1+1,{decided.resolution}" in row
    assert len(lines) == 1 + SeatTerm.objects.count()


def test_bodies_of_any_day(client: Client, staff: Client, board: Body) -> None:
    board.until = date(2024, 1, 1)
    board.save()
    text = text_of(client, "/governance/bodies/?on=2023-01-01")
    assert "as it was on" in text
    assert '<a href="/governance/board/?on=2023-01-01">Board</a>' in text
    text = text_of(client, "/governance/bodies/")
    assert "No body on this day" in text
    assert "Dissolved" in text
    assert "That is not a date" in text_of(client, "/governance/bodies/?on=soon")
    assert "Found the first" in text_of(staff, "/governance/bodies/")
    assert "Dissolved" in text_of(client, "/governance/board/")


def test_terms_leave_as_a_calendar_of_whole_days(
    client: Client, board: Body, directors: list[User]
) -> None:
    SeatTerm.objects.filter(user=directors[1]).update(until=date(2027, 3, 1))
    answer = client.get("/governance/bodies/board/terms.ics")
    assert answer["Content-Type"].startswith("text/calendar")
    text = answer.content.decode()
    assert "SUMMARY:Bea ends: Board\\, seat 2" in text
    assert "DTSTART;VALUE=DATE:20270301" in text
    assert "DTEND;VALUE=DATE:20270302" in text
    assert text.count("BEGIN:VEVENT") == SeatTerm.objects.count() + 1
