"""An organisation takes along everything that is kept of it, and nothing of anybody else."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import links, outbox
from portal.lib.models import AuditEntry
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.actions.subscriber import name_subscriber
from portal.members.belongings import all_parts
from portal.members.correspondence import about
from portal.members.export import records_of
from portal.members.models import DataExport, Organisation
from portal.members.pictures import check
from portal.members.tests.people import make_organisation, make_term, make_tier
from portal.payments.actions.payment import record_offline_payment
from portal.payments.tests.factories import make_customer, make_invoice
from tests.cast import sign_in
from tests.shared import shared
from tests.supporters import LOGO, make_application, post_event, session_event
from tests.supporters import make_tier as make_offer

pytestmark = pytest.mark.django_db
OURS = ("portal", "releases", "governance", "feedback", "benchmarks")
PAGE = "/organisation/acme/data/"


@shared
def acme(alice: User, erin: User) -> Organisation:
    """A member with a logo, a seat, an invoice that was paid, and letters."""
    organisation = make_organisation(owner=alice)
    now = timezone.now()
    order = make_term(organisation, make_tier(), now).order
    make_invoice(order)
    record_offline_payment(actor=erin, order=order, amount=order.amount, statement_ref="7", at=now)
    change_logo(actor=alice, organisation=organisation, logo=keep_logo(picture=check(LOGO)))
    name_subscriber(
        actor=alice, organisation=organisation, name="Nina", email="nina@example.org", at=now
    )
    return organisation


def taken(client: Client) -> ZipFile:
    client.post(PAGE)
    made = DataExport.objects.ready(timezone.now())[0]
    answer = client.get(f"{PAGE}{made.key}/export.zip")
    assert answer["Content-Type"] == "application/zip"
    content = answer.getvalue()
    assert int(answer["Content-Length"]) == len(content)
    archive = ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    return archive


def rows(archive: ZipFile, table: str) -> list[dict[str, Any]]:
    return list(json.loads(archive.read(f"data/{table}.json")))


def pointing_to(owned: set[type[models.Model]]) -> Iterator[str]:
    """Every model of ours with a key to one of these."""
    for model in apps.get_models():
        if model.__module__.split(".")[0] in OURS:
            keys = (field for field in model._meta.get_fields() if field.concrete)
            if any(field.related_model in owned for field in keys):
                yield model._meta.label_lower


def test_every_model_with_a_key_to_an_organisation_is_placed(db: None) -> None:
    """A new one fails here until `belongings.py` of its app says whether it is exported."""
    owned = {found.model for found in records_of(make_organisation())}
    exported = {model._meta.label_lower for model in owned}
    elsewhere = {label for part in all_parts() for label in part.elsewhere}
    found = set(pointing_to(owned))
    assert found - exported - elsewhere == set(), "place it in the belongings of its app"
    assert elsewhere - found == set(), "these point to nothing of an organisation"
    assert exported & elsewhere == set()


def test_the_owner_takes_everything_along(acme: Organisation, alice: User) -> None:
    archive = taken(sign_in(alice))
    names = archive.namelist()
    order = acme.terms.get().order
    assert f"receipts/{order.receipt_number}.pdf" in names
    assert f"invoices/{order.invoices.get().number}.pdf" in names
    assert archive.read(f"logos/{keep_logo(picture=check(LOGO))}") == check(LOGO).content
    assert rows(archive, "members.organisation")[0]["legal_name"] == "Acme GmbH"
    assert rows(archive, "members.contact")[0]["email"] == alice.email
    assert rows(archive, "members.term")[0]["price_minor"] == 100_00
    assert rows(archive, "members.subscriber")[0]["named_by"] == "Alice"
    assert [name for name in names if name.startswith("letters/")]
    ledger = list(csv.reader(io.StringIO(archive.read("ledger.csv").decode())))
    assert ledger[1][1:4] == ["payment", "100.00", "EUR"]
    readme = archive.read("README.txt").decode()
    assert all(name[5:] in readme for name in names if name.startswith("data/"))
    log = rows(archive, "lib.auditentry")
    assert {"organisation.register", "organisation.export"} <= {entry["verb"] for entry in log}


def test_nothing_of_another_organisation_is_in_it(
    acme: Organisation, alice: User, bob: User
) -> None:
    other = make_organisation("Zebra", owner=bob)
    make_invoice(make_term(other, make_tier("silver"), timezone.now()).order)
    archive = taken(sign_in(alice))
    for name in archive.namelist():
        assert b"Zebra" not in archive.read(name), name
        assert b"bob@example.org" not in archive.read(name), name


def test_what_opens_without_a_login_is_left_out(acme: Organisation, alice: User) -> None:
    token = links.sign("secret", purpose="test")
    outbox.promise(
        to=alice.email, subject="A link", text=f"/x/{token}/", key="k", about=about(acme)
    )
    make_invoice(
        acme.terms.get().order, hosted_url="https://pay.example/secret", voided_at=timezone.now()
    )
    archive = taken(sign_in(alice))
    for name in archive.namelist():
        assert token.encode() not in archive.read(name), name
        assert b"pay.example" not in archive.read(name), name


def test_what_the_apps_above_keep_is_in_it_too(client: Client, alice: User, settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = "whsec_only_for_tests"
    application = make_application(make_offer())
    post_event(client, session_event(application))
    sign_in(alice, client).get("/organisation/")
    archive = taken(client)
    assert rows(archive, "sponsors.application")[0]["owner_email"] == alice.email
    assert [name for name in archive.namelist() if name.startswith("agreements/")]
    assert "url" not in rows(archive, "payments.checkout")[0]
    assert rows(archive, "books.refundrequest") == []
    assert rows(archive, "releases.earlynotice") == []


def test_only_the_owner_gets_it_and_only_after_a_second_factor(
    acme: Organisation, alice: User
) -> None:
    client = sign_in(alice)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "mfa", "at": 1.0, "reauthenticated": True}
    ]
    session.save()
    assert "/accounts/" in client.post(PAGE)["Location"], "long ago: asked again"
    assert not AuditEntry.objects.filter(verb="organisation.export").exists()
    taken(sign_in(alice))
    entry = AuditEntry.objects.get(verb="organisation.export")
    assert (entry.actor, entry.subject_name) == (alice, "Acme")


def test_a_customer_of_the_provider_is_in_it(acme: Organisation, alice: User) -> None:
    order = acme.terms.get().order
    order.customer = make_customer(customer_id="cus_1")
    order.save()
    assert rows(taken(sign_in(alice)), "payments.customer")[0]["customer_id"] == "cus_1"


def test_the_page_says_what_is_in_it(acme: Organisation, alice: User) -> None:
    assert "Make the file" in sign_in(alice).get(PAGE).content.decode()
