"""Every contact role at every address of an organisation, with everything one could send.

What changes in its rows is compared with what the role may change: a new address, or a new field
of an old one, fails here until somebody has thought about who may write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.models import OutboxMail
from portal.members.actions.contact import invite_contact, take_contact
from portal.members.actions.data_export import ask_for_export
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.actions.subscriber import name_subscriber
from portal.members.actions.transfer import offer_transfer
from portal.members.export import records_of
from portal.members.models import DataExport, Organisation
from portal.members.pictures import check
from portal.members.records import record, table
from portal.members.tests.people import make_organisation, make_secured, make_term, make_tier
from tests.cast import sign_in
from tests.shared import shared
from tests.supporters import LOGO
from tests.test_permissions import addresses

pytestmark = pytest.mark.django_db
OTHER = LOGO.replace(b"0h40v20z", b"0h20v20z")
BELOW = "/organisation/<slug:slug>/"
OWN_PAGES = {
    name: route for name, route in addresses(get_resolver().url_patterns) if route.startswith(BELOW)
}
Rows = dict[tuple[str, object], dict[str, Any]]
# Fields of tables that a role may change; a star stands for a whole new row.
MAY: dict[Role, set[str]] = {
    Role.BILLING: {
        *("members.organisation.address", "members.organisation.country"),
        *("members.organisation.vat_number", "members.organisation.invoice_email"),
    },
    Role.TECHNICAL: {"members.organisation.notices_email"},
    Role.MARKETING: {
        *("members.organisation.name", "members.organisation.website"),
        *("members.organisation.logo", "members.organisation.is_listed"),
        *("members.logochange.*", "members.logo.*"),
    },
}


@shared
def acme(alice: User) -> Organisation:
    """A member with a seat, an offer, an earlier logo, an export, and letters."""
    now = timezone.now()
    organisation = make_organisation(owner=alice)
    make_term(organisation, make_tier(seats=2), now)
    for picture in (OTHER, LOGO):
        change_logo(actor=alice, organisation=organisation, logo=keep_logo(picture=check(picture)))
    name_subscriber(
        actor=alice, organisation=organisation, name="Nina", email="nina@example.org", at=now
    )
    offer_transfer(
        actor=alice,
        organisation=organisation,
        name="Mallory",
        email="mallory@example.org",
        stays_as="",
        at=now,
    )
    ask_for_export(actor=alice, organisation=organisation, at=now)
    return organisation


def sent(client: Client) -> dict[str, Any]:
    """Every field that any form of these pages has, and some that none has."""
    seen = client.get("/organisation/acme/details/").context["form"]["seen"].value()
    return {
        "seen": seen,
        "legal_name": "Mine",
        "name": "Mine",
        "website": "https://mine.example",
        "address": "Mine 1",
        "country": "DE",
        "vat_number": "DE811907980",
        "invoice_email": "mine@example.org",
        "notices_email": "mine@example.org",
        "email": "mine@example.org",
        "role": "owner",
        "stays_as": "",
        "listed": "no",
        "reason": "Mine",
        "quantity": "1",
        "note": "Mine",
        "slug": "mine",
        "is_listed": "no",
        "tier": "1",
        "amount": "1",
        "price_minor": "1",
        "ends_at": "2099-01-01",
        "logo": upload(),
    }


def upload() -> SimpleUploadedFile:
    return SimpleUploadedFile("a.svg", LOGO.replace(b"0h40v20z", b"0h10v20z"))


def path(name: str, acme: Organisation) -> str:
    """One of its pages, about the thing there that matters most."""
    given: Mapping[str, object] = {
        "members:letter": OutboxMail.objects.all()[0].pk,
        "members:seat_end": acme.subscribers.get().pk,
        "sponsors:renew": acme.terms.get().pk,
        "members:export_file": DataExport.objects.get(organisation=acme).key,
        "members:logo_again": keep_logo(picture=check(OTHER)).pk,
        **dict.fromkeys(
            ("members:contact", "members:contact_remove", "members:contact_remind"),
            acme.contacts.get(role=Role.OWNER).pk,
        ),
        **dict.fromkeys(("members:invoice", "members:receipt", "members:credit_note"), "2026-0001"),
    }
    args = OWN_PAGES[name].removeprefix(BELOW).count("<")
    assert args == (name in given), f"say in this test what {name} is about"
    return reverse(name, args=[acme.slug, *([given[name]] if args else [])])


def snapshot(acme: Organisation) -> Rows:
    """All of its rows but the letters, which only tell of changes."""
    found = Organisation.objects.get(pk=acme.pk)
    kept = (rows for rows in records_of(found) if table(rows) != "lib.outboxmail")
    return {(table(rows), row.pk): record(row) for rows in kept for row in rows}


def difference(before: Rows, after: Rows) -> Iterator[str]:
    for key in before.keys() | after.keys():
        name = key[0]
        if key not in before or key not in after:
            yield f"{name}.*"
            continue
        for field, value in after[key].items():
            if value != before[key][field]:
                yield f"{name}.{field}"


def changed_by(
    client: Client, acme: Organisation, name: str, data: Mapping[str, Any], before: Rows
) -> set[str]:
    """What a post of everything to an address changes; it is undone."""
    with transaction.atomic():
        answer = client.post(path(name, acme), {**data, "logo": upload()})
        assert answer.status_code < 500
        refused = answer.status_code in {404, 405}
        found = set() if refused else set(difference(before, snapshot(acme)))
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("role", MAY, ids=lambda role: role.value)
def test_a_contact_changes_its_part_alone_at_every_address(
    role: Role, acme: Organisation, alice: User
) -> None:
    person = make_secured("tom")
    contact = invite_contact(
        actor=alice, organisation=acme, role=role, name="Tom", email=person.email
    )
    take_contact(user=person, contact=contact)
    client = sign_in(person)
    before, data = snapshot(acme), sent(client)
    changed = {name: changed_by(client, acme, name, data, before) for name in sorted(OWN_PAGES)}
    wrong = {name: found - MAY[role] for name, found in changed.items() if found - MAY[role]}
    assert wrong == {}, "address: what this role must not change"
    missing = MAY[role] - set().union(*changed.values()) - {"members.organisation.country"}
    assert missing == set(), "what the role may change, and no address lets it"


def test_a_stranger_changes_nothing_anywhere(acme: Organisation, charlie: User) -> None:
    client, before = sign_in(charlie), snapshot(acme)
    for name in sorted(OWN_PAGES):
        assert client.post(path(name, acme), {"name": "Mine"}).status_code in {404, 405}, name
    assert snapshot(acme) == before
