"""The pages of contributors: nominating, answering, accepting, and what the public sees."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.members.models import Contributor, Nomination, Standing
from portal.members.tests.people import (
    DAY,
    YEAR,
    make_contributor,
    make_nomination,
    make_secured,
)
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def gwen() -> User:
    """Somebody with an account at the address that tests nominate."""
    return make_secured("gwen")


GOOD = {
    "name": "Gwen",
    "email": "gwen@example.org",
    "did": "Tests.",
    "links": "https://example.org/a\n\nhttps://example.org/a\nhttp://example.org/b",
}


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_from_nomination_to_the_public_list(charlie: User, frank: User, gwen: User) -> None:
    nominator, staff, person = sign_in(charlie), sign_in(frank), sign_in(gwen)
    assert "Nobody is named here yet" in page(nominator, "/contributors/")
    answer = nominator.post("/contributors/nominate/", GOOD, follow=True)
    assert "waits for review" in answer.content.decode()
    nomination = Nomination.objects.get()
    assert nomination.links == ["https://example.org/a", "http://example.org/b"]
    assert "Gwen" in page(nominator, "/contributors/own/")
    assert "1 nomination waits for review" in page(staff, "/staff/nominations/")
    review = f"/staff/nominations/{nomination.pk}/"
    assert "https://example.org/a" in page(staff, review)
    day = (timezone.now() + YEAR).date()
    staff.post(review, {"answer": "approve", "until": day.isoformat(), "reason": "Well done."})
    assert "You are invited" in page(person, "/contributors/own/")
    contributor = Contributor.objects.get()
    person.post(f"/contributors/own/{contributor.pk}/accept/", {"listed": "yes"})
    assert "Gwen" in page(Client(), "/contributors/")
    assert Standing.objects.get().last_day.date() == day
    assert "approved" in page(nominator, nomination.get_absolute_url())


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("email", "nobody", "valid email"),
        ("did", "", "is still empty"),
        ("links", "javascript:alert(1)", "no web address"),
        ("links", "\n".join(f"https://example.org/{n}" for n in range(11)), "Ten links"),
    ],
)
def test_a_wrong_nomination_loses_nothing(charlie: User, field: str, value: str, said: str) -> None:
    answer = sign_in(charlie).post("/contributors/nominate/", {**GOOD, field: value})
    text = answer.content.decode()
    assert said in text
    assert 'value="Gwen"' in text
    assert not Nomination.objects.exists()


def test_a_second_nomination_and_the_eleventh_are_told_in_the_form(charlie: User) -> None:
    client = sign_in(charlie)
    for number in range(9):
        make_nomination(charlie, email=f"p{number}@example.org")
    client.post("/contributors/nominate/", GOOD)
    again = client.post("/contributors/nominate/", GOOD)
    assert "Ten nominations a day" in again.content.decode()
    Nomination.objects.filter(name="Gwen").exclude(email="gwen@example.org").delete()
    again = client.post("/contributors/nominate/", GOOD)
    assert "nominated this person already" in again.content.decode()


def test_others_do_not_see_a_nomination(charlie: User, bob: User) -> None:
    path = make_nomination(charlie).get_absolute_url()
    assert sign_in(bob).get(path).status_code == 404


def test_a_nomination_is_taken_back_on_its_page(charlie: User) -> None:
    client = sign_in(charlie)
    nomination = make_nomination(charlie)
    for said in ("is taken back", "decided already"):
        path = f"/contributors/nominations/{nomination.pk}/withdraw/"
        assert said in client.post(path, follow=True).content.decode()


def test_the_review_says_what_is_wrong(charlie: User, frank: User) -> None:
    client = sign_in(frank)
    own = make_nomination(frank, email="x@example.org")
    make_contributor(charlie, frank, timezone.now())
    again = make_nomination(charlie)
    tomorrow = (timezone.now() + DAY).date().isoformat()

    def post(nomination: Nomination, **data: str) -> str:
        answer = client.post(f"/staff/nominations/{nomination.pk}/", data)
        return answer.content.decode()

    assert "somebody else must decide" in post(own, answer="approve", until=tomorrow)
    assert "somebody else must decide" in post(own, answer="reject", **{"reject-reason": "No."})
    assert "lasts at least as long" in post(again, answer="approve", until=tomorrow)
    assert "This day is over" in post(again, answer="approve", until="2020-01-01")
    assert "Five years at most" in post(again, answer="approve", until="2099-01-01")
    assert "is still empty" in post(again, answer="reject")
    assert post(again, answer="reject", **{"reject-reason": "No."}) == ""
    assert "was decided or taken back" in post(again, answer="approve", until="2028-01-01")
    assert "Gwen" in page(client, "/staff/nominations/?state=rejected")


def test_the_staff_renew_and_end_on_the_record(charlie: User, frank: User, gwen: User) -> None:
    client = sign_in(frank)
    contributor = make_contributor(charlie, frank, timezone.now())
    assert "Gwen" in page(client, "/staff/contributors/?q=gwen")
    assert "Nobody found" in page(client, "/staff/contributors/?q=nobody")
    path = f"/staff/contributors/{contributor.pk}/"
    day = (timezone.now() + 2 * YEAR).date().isoformat()
    again = {"act": "renew", "until": day, "reason": "Still here."}
    assert "Renewed" in client.post(path, again, follow=True).content.decode()
    assert "lasts at least as long" in client.post(path, again).content.decode()
    ended = client.post(path, {"act": "end", "end-reason": "Asked for it."}, follow=True)
    assert "Asked for it." in ended.content.decode()
    assert Standing.objects.not_over(timezone.now()).count() == 0


def test_a_contributor_writes_what_others_see(charlie: User, frank: User) -> None:
    make_contributor(charlie, frank, timezone.now(), name="Charlie", email=charlie.email)
    person = make_secured("hugo")
    contributor = Contributor.objects.get()
    contributor.user = person
    contributor.save()
    client = sign_in(person)
    wrong = client.post("/contributors/own/", {"name": "", "about": "Replication"})
    assert "Replication" in wrong.content.decode()
    client.post(
        "/contributors/own/",
        {"name": "Hugo H.", "about": "Replication", "website": "hugo.example", "is_listed": "on"},
    )
    public = page(Client(), "/contributors/")
    assert "Hugo H." in public
    assert "Replication" in public
    assert "https://hugo.example" in public
    assert "You are a contributor" in page(client, "/contributors/own/")
    client.post("/contributors/own/leave/")
    assert "You were a contributor" in page(client, "/contributors/own/")


def test_a_person_declines_on_their_page(charlie: User, frank: User, gwen: User) -> None:
    contributor = make_contributor(charlie, frank, timezone.now())
    client = sign_in(gwen)
    path = f"/contributors/own/{contributor.pk}/decline/"
    assert "Declined" in client.post(path, follow=True).content.decode()
    assert "You are not a contributor yet" in page(client, "/contributors/own/")
