"""Staff keep bodies, seats, terms and rules in the staff pages; the actions keep the promises."""

import pytest
from django.test import Client

from governance.models import Body, Motion, RuleSet, Seat, SeatTerm
from governance.tests.conftest import START, make_rules
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
STAFF = "/staff/governance"


@pytest.fixture
def staff(frank: User) -> Client:
    return sign_in(frank)


def test_a_body_and_its_seats_are_made(staff: Client) -> None:
    body = {
        "slug": "council",
        "name": "Council",
        "kind": "council",
        "purpose": "Builds.",
        "since": "2020-01-01",
        "position": 5,
    }
    assert staff.post(f"{STAFF}/body/add/", body).status_code == 302
    made = Body.objects.get(slug="council")
    seat = {
        "body": made.pk,
        "number": 1,
        "is_voting": "on",
        "constituency": "appointed",
        "break_months": 12,
        "since": "2020-01-01",
    }
    assert staff.post(f"{STAFF}/seat/add/", seat).status_code == 302
    assert staff.post(f"{STAFF}/seat/add/", {**seat, "office": "chair", "number": 2}).context
    verbs = set(AuditEntry.objects.values_list("verb", flat=True))
    assert {"body.founded", "seat.made"} <= verbs
    assert Seat.objects.count() == 1


def test_a_term_is_begun_and_ended(staff: Client, board: Body, charlie: User) -> None:
    seat = board.seats.get(number=6)
    term = {
        "seat": seat.pk,
        "user": charlie.pk,
        "since": "2025-01-01",
        "entry": "elected",
        "affiliation": "None",
    }
    assert staff.post(f"{STAFF}/seatterm/add/", term).status_code == 302
    made = SeatTerm.objects.get()
    assert has_role(charlie, Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board")
    refused = staff.post(f"{STAFF}/seatterm/add/", term)
    assert "holds this seat in that time" in refused.content.decode()
    change = f"{STAFF}/seatterm/{made.pk}/change/"
    assert staff.post(change, {"until": "2025-06-01", "affiliation": "Acme"}).status_code == 302
    made.refresh_from_db()
    assert (str(made.until), made.affiliation) == ("2025-06-01", "Acme")
    assert not has_role(charlie, Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board")


def test_an_affiliation_changes_without_ending_the_term(
    staff: Client, board: Body, directors: list[User]
) -> None:
    made = SeatTerm.objects.get(seat__number=2)
    change = f"{STAFF}/seatterm/{made.pk}/change/"
    assert staff.post(change, {"affiliation": "Acme"}).status_code == 302
    made.refresh_from_db()
    assert (made.until, made.affiliation) == (None, "Acme")


def rules_form(rule_set: RuleSet, **changed: object) -> dict[str, object]:
    skipped = {"id", "version"}
    fields = [field.name for field in RuleSet._meta.fields if field.name not in skipped]
    sent = {name: getattr(rule_set, name) for name in fields}
    sent["body"] = rule_set.body_id
    kept = {name: value for name, value in (sent | changed).items() if value is not False}
    return {name: "on" if value is True else value for name, value in kept.items()}


def test_rules_are_corrected_until_used_and_then_continued(
    staff: Client, board: Body, motion: Motion
) -> None:
    used = RuleSet.objects.get()
    path = f"{STAFF}/ruleset/{used.pk}/change/"
    answer = staff.post(path, rules_form(used, threshold="two_thirds"), follow=True)
    assert "yours is version 2" in answer.content.decode()
    used.refresh_from_db()
    second = RuleSet.objects.get(version=2)
    assert (used.threshold, second.threshold) == ("strict", "two_thirds")
    path = f"{STAFF}/ruleset/{second.pk}/change/"
    assert staff.post(path, rules_form(second, threshold="simple")).status_code == 302
    second.refresh_from_db()
    assert (second.version, second.threshold) == (2, "simple")
    third = rules_form(make_rules(board), since=START.date())
    assert staff.post(f"{STAFF}/ruleset/add/", third).status_code == 302
    assert RuleSet.objects.filter(version=4).exists()


def test_the_record_is_not_removed(staff: Client, board: Body, directors: list[User]) -> None:
    term = SeatTerm.objects.all()[0]
    assert staff.post(f"{STAFF}/seatterm/{term.pk}/delete/", {"post": "yes"}).status_code == 403
    assert staff.post(f"{STAFF}/body/{board.pk}/delete/", {"post": "yes"}).status_code == 403


def test_limits_ask_for_an_exception_and_terms_are_not_lengthened(
    staff: Client, board: Body, charlie: User
) -> None:
    seat = board.seats.get(number=6)
    seat.term_months = 12
    seat.save()
    term = {"seat": seat.pk, "user": charlie.pk, "since": "2025-01-01", "entry": "elected"}
    add = f"{STAFF}/seatterm/add/"
    refused = staff.post(add, {**term, "until": "2027-01-01"})
    assert "A full term of this seat ends on" in refused.content.decode()
    assert staff.post(add, {**term, "until": "2026-01-01"}).status_code == 302
    change = f"{STAFF}/seatterm/{SeatTerm.objects.get().pk}/change/"
    for until in ("2026-06-01", "2025-01-01", ""):
        assert "never lengthened" in staff.post(change, {"until": until}).content.decode()
