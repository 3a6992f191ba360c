"""The staff look at all organisations, and at one with its history."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.members.actions.cancellation import cancel_support
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.models import Organisation
from portal.members.pictures import check
from portal.members.tests.people import DAY, make_organisation, make_term, make_tier
from tests.cast import sign_in
from tests.shared import shared
from tests.supporters import LOGO

pytestmark = pytest.mark.django_db
PAGE = "/staff/organisations/"


@shared
def acme(alice: User) -> Organisation:
    organisation = make_organisation(owner=alice)
    make_term(organisation, make_tier(), timezone.now())
    return organisation


@shared
def bolt(acme: Organisation, bob: User) -> Organisation:
    """In term, and cancelled."""
    organisation = make_organisation("Bolt", owner=bob)
    make_term(organisation, make_tier("silver"), timezone.now())
    cancel_support(actor=bob, organisation=organisation, reason="We merge.", at=timezone.now())
    return organisation


@shared
def coil(acme: Organisation) -> Organisation:
    """Long over."""
    organisation = make_organisation("Coil")
    make_term(organisation, make_tier("bronze"), timezone.now() - 800 * DAY)
    return organisation


@shared
def dune(acme: Organisation) -> Organisation:
    """Its term ended yesterday; it may renew."""
    organisation = make_organisation("Dune")
    make_term(organisation, make_tier("copper"), timezone.now() - 366 * DAY)
    return organisation


def text(answer: Any) -> str:
    return str(answer.content.decode())


def found(client: Client, query: str) -> set[str]:
    return {one.name for one, _, _ in client.get(f"{PAGE}?{query}").context["rows"]}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"Acme", "Bolt", "Coil", "Dune"}),
        ("stand=grace", {"Dune"}),
        ("q=bol", {"Bolt"}),
        ("q=alice@example", {"Acme"}),
        ("stand=active", {"Acme"}),
        ("stand=cancelled", {"Bolt"}),
        ("stand=over", {"Coil"}),
        ("tier=Silver", {"Bolt"}),
        ("country=DE&q=coil", {"Coil"}),
        ("stand=nonsense", {"Acme", "Bolt", "Coil", "Dune"}),
        ("q=nobody", set()),
    ],
)
def test_organisations_are_searched_and_filtered(
    query: str, names: set[str], bolt: object, coil: object, dune: object, frank: User
) -> None:
    assert found(sign_in(frank), query) == names


def test_the_same_leaves_as_csv(acme: Organisation, bolt: Organisation, frank: User) -> None:
    Organisation.objects.filter(pk=acme.pk).update(legal_name="=Acme()")
    answer = sign_in(frank).get("/staff/organisations.csv?stand=active")
    table = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [row["name"] for row in table] == ["Acme"]
    assert table[0]["legal name"] == "'=Acme()", "no formula"
    assert table[0]["owner e-mail"] == "alice@example.org"
    assert table[0]["state"] == "in term"


def test_one_of_them_with_its_history(acme: Organisation, bolt: Organisation, frank: User) -> None:
    page = text(sign_in(frank).get(f"{PAGE}bolt/"))
    assert "We merge." in page
    assert "organisation.register" in page
    assert "The support of Bolt ends on" in page
    assert "Acme" not in page


def test_an_empty_list_says_what_will_be_there(frank: User) -> None:
    assert "from its first payment on" in text(sign_in(frank).get(PAGE))


def test_a_logo_is_taken_down_with_a_reason(acme: Organisation, alice: User, frank: User) -> None:
    change_logo(actor=alice, organisation=acme, logo=keep_logo(picture=check(LOGO)))
    staff = sign_in(frank)
    assert "is still empty: fill it in." in text(staff.post(f"{PAGE}acme/logo/", {"reason": " "}))
    assert "Take the logo of Acme down" in text(staff.get(f"{PAGE}acme/logo/"))
    page = text(staff.post(f"{PAGE}acme/logo/", {"reason": "Not yours."}, follow=True))
    assert "Not yours." in page
    acme.refresh_from_db()
    assert acme.logo is None
    assert staff.get(f"{PAGE}acme/logo/").status_code == 404
