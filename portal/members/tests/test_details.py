"""What an organisation says about itself: each contact changes its part, with a trace."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.models import AuditEntry
from portal.members.actions.contact import invite_contact, take_contact
from portal.members.actions.organisation import ChangedMeanwhileError, change_details
from portal.members.billing import billed_as
from portal.members.details import stamp
from portal.members.models import Organisation
from portal.members.tests.people import (
    letters,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from portal.payments.actions.invoice import invoice_file
from portal.payments.tests.factories import make_invoice
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
PAGE = "/organisation/acme/details/"
TYPED: dict[str, Any] = {
    "legal_name": "Acme Holding AG",
    "name": "Acme Group",
    "website": "acme.example/home",
    "address": " Am Ring 1 \n\n10115 Berlin ",
    "country": "DE",
    "vat_number": "de 811 907 980",
    "invoice_email": "invoices@acme.example",
    "notices_email": "security@acme.example",
}
KEPT = {
    **TYPED,
    "website": "https://acme.example/home",
    "address": "Am Ring 1\n10115 Berlin",
    "vat_number": "DE811907980",
}
PARTS = {
    Role.OWNER: set(TYPED) - {"country"},
    Role.BILLING: {"address", "vat_number", "invoice_email"},
    Role.MARKETING: {"name", "website"},
    Role.TECHNICAL: {"notices_email"},
}


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


def with_role(acme: Organisation, alice: User, role: Role) -> User:
    if role == Role.OWNER:
        return alice
    person = make_secured("tom")
    contact = invite_contact(
        actor=alice, organisation=acme, role=role, name="Tom", email=person.email
    )
    take_contact(user=person, contact=contact)
    return person


def sent(client: Client, **changes: Any) -> dict[str, Any]:
    """Everything a page could send, with the stamp of the page that was opened."""
    seen = client.get(PAGE).context["form"]["seen"].value()
    return {**TYPED, "seen": seen, **changes}


def text(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.mark.parametrize("role", PARTS, ids=lambda role: role.value)
def test_each_role_changes_its_part_and_nothing_else_that_it_sends(
    role: Role, acme: Organisation, alice: User
) -> None:
    client = sign_in(with_role(acme, alice, role))
    before = {name: getattr(acme, name) for name in TYPED}
    assert client.post(PAGE, sent(client)).status_code == 302
    acme.refresh_from_db()
    changed = {name for name in TYPED if getattr(acme, name) != before[name]}
    assert changed == PARTS[role]
    assert {name: getattr(acme, name) for name in changed} == {n: KEPT[n] for n in changed}
    entry = AuditEntry.objects.get(verb="organisation.details")
    assert entry.detail["before"] == {name: before[name] for name in changed}
    assert entry.detail["after"] == {name: KEPT[name] for name in changed}


def test_owners_hear_of_what_others_change(acme: Organisation, alice: User) -> None:
    client = sign_in(with_role(acme, alice, Role.BILLING))
    client.post(PAGE, sent(client))
    assert letters(alice.email) == ["Tom changed the details of Acme"]
    owner = sign_in(alice)
    owner.post(PAGE, sent(owner))
    assert len(letters(alice.email)) == 1, "nobody is told of what they did themselves"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"vat_number": "DE811907981"}, "look for a typing error"),
        ({"vat_number": "FR40303265045"}, "a number of another country"),
        ({"address": "\n".join("abcdefg")}, "Six lines are enough"),
        ({"invoice_email": "nobody"}, "Enter a valid email address"),
        ({"legal_name": " "}, "is still empty: fill it in."),
        ({"legal_name": "日本 K.K."}, "Papers cannot print 日本"),
    ],
    ids=["checksum", "country", "address", "mailbox", "empty", "letters"],
)
def test_what_is_wrong_is_told_and_what_was_typed_stays(
    typed: dict[str, str], said: str, acme: Organisation, alice: User
) -> None:
    client = sign_in(alice)
    page = text(client.post(PAGE, sent(client, **typed)))
    assert said in page
    assert "Acme Group" in page
    acme.refresh_from_db()
    assert acme.name == "Acme"


def test_the_address_on_invoices_is_changed_but_not_emptied(
    acme: Organisation, alice: User
) -> None:
    client = sign_in(alice)
    client.post(PAGE, sent(client))
    page = text(client.post(PAGE, sent(client, address=" \n ")))
    assert "change it, but do not empty it" in page
    acme.refresh_from_db()
    assert acme.address == KEPT["address"]


def test_two_people_who_change_it_at_once_lose_nothing(acme: Organisation, alice: User) -> None:
    tom = with_role(acme, alice, Role.BILLING)
    owner, payer = sign_in(alice), sign_in(tom)
    late = sent(payer, vat_number="", invoice_email="late@acme.example")
    owner.post(PAGE, sent(owner))
    answer = payer.post(PAGE, late)
    page = text(answer)
    assert "Somebody changed this meanwhile" in page
    assert "Stands there now: <strong>DE811907980</strong>" in page
    assert "late@acme.example" in page
    late["seen"] = answer.context["form"]["seen"].value()
    assert payer.post(PAGE, late).status_code == 302
    acme.refresh_from_db()
    assert (acme.vat_number, acme.invoice_email) == ("", "late@acme.example")
    with pytest.raises(ChangedMeanwhileError):
        change_details(
            actor=tom, organisation=acme, values={"name": "A"}, seen="", at=timezone.now()
        )


def test_saving_what_stands_there_changes_nothing(acme: Organisation, alice: User) -> None:
    values = {"name": acme.name, "website": acme.website}
    seen = stamp(acme, values)
    assert not change_details(
        actor=alice, organisation=acme, values=values, seen=seen, at=timezone.now()
    )
    assert not AuditEntry.objects.filter(verb="organisation.details").exists()


def test_papers_that_were_issued_stay_as_they_are(acme: Organisation, alice: User) -> None:
    order = make_term(acme, make_tier(), timezone.now()).order
    invoice = make_invoice(order)
    written = invoice_file(invoice)
    client = sign_in(alice)
    client.post(PAGE, sent(client))
    order.refresh_from_db()
    assert (order.billing_name, order.billing_lines) == ("Acme GmbH", "")
    assert invoice_file(invoice) == written


def test_the_next_order_is_billed_as_the_page_says(acme: Organisation, alice: User) -> None:
    assert billed_as(acme).email == alice.email
    client = sign_in(alice)
    client.post(PAGE, sent(client))
    acme.refresh_from_db()
    billed = billed_as(acme)
    assert (billed.name, billed.email) == ("Acme Holding AG", "invoices@acme.example")
    assert billed.lines == "Am Ring 1\n10115 Berlin\nGermany\nDE811907980"
