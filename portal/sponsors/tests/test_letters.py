"""Every letter of a sign-up is rendered, in text and HTML, from a real application."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.members.models import Term
from portal.payments.actions.invoice import issue_invoice
from portal.payments.actions.payment import record_offline_payment
from portal.payments.actions.refund import record_offline_refund
from portal.payments.models import Checkout, FailedCharge
from portal.payments.tests.factories import make_subscription
from portal.sponsors import letters, renewal_letters
from portal.sponsors.actions.application import approve_application, reject_application
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application
from tests.cast import ROLES, make_person
from tests.shared import shared
from tests.supporters import make_application, make_tier

pytestmark = pytest.mark.django_db
FOLDER = Path(settings.BASE_DIR) / "templates" / "mail" / "sponsors"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
NASTY = 'R&D <b>"Nord"</b>'


def write_all() -> None:
    """Through the stories of three applications; the names need escaping."""
    erin, now = make_person("erin"), timezone.now()
    make_person("frank", *ROLES["frank"])
    tier = make_tier(needs_review=True)
    values = {"name": NASTY, "billing_email": "bills@example.org"}
    rejected = make_application(tier, **values)
    reject_application(actor=erin, application=rejected, reason="Not for <us>.")
    sent = make_application(tier, **values)
    paid = approve_application(actor=erin, application=sent, reason="Welcome.", at=now)
    order = paid.order
    assert order is not None
    invoice = issue_invoice(actor=None, order=order, at=now)
    invoice.hosted_url = "https://pay.example/in_1"
    letters.invoice_sent(paid, invoice)
    letters.invoice_overdue(paid, invoice)
    letters.released(paid)
    letters.withdrawn(paid, at=now)
    letters.payment_failed(paid, Checkout(provider="twin", session_id="cs_1"))
    about = {"actor": erin, "order": order, "amount": order.amount, "at": now}
    settle_order(order=record_offline_payment(**about, statement_ref="1/1"))  # type: ignore[arg-type]
    write_renewals(paid, order.term)
    entry = order.entries.get()
    letters.suspended(paid, entry)
    letters.resumed(paid, entry)
    settle_order(order=record_offline_refund(**about, statement_ref="1/2"))  # type: ignore[arg-type]


@shared
def written() -> None:
    write_all()


def write_renewals(application: Application, term: Term) -> None:
    subscription = make_subscription()
    charge = FailedCharge.objects.create(
        subscription=subscription,
        provider="twin",
        provider_invoice_id="in_2",
        attempt=1,
        amount_minor=500_00,
        currency="EUR",
        failed_at=timezone.now(),
        next_attempt_at=timezone.now(),
        pay_url="https://pay.example/in_2",
    )
    letters.send(application, "renewed", key="application.renewed:1", term=term)
    renewal_letters.ends(term, -14)
    renewal_letters.will_be_charged(term, subscription, 30)
    renewal_letters.charge_failed(term, charge)
    renewal_letters.lapsed(term, cancelled=False)


RENEWALS = {
    "renewal": "renewal:{}:-14",
    "renewal_charge": "renewal:{}:30",
    "lapsed": "renewal:{}:lapsed",
    "charge_failed": "renewal.charge:twin:in_2",
}


def rendered(name: str) -> OutboxMail:
    if name in RENEWALS:
        key = RENEWALS[name].format(Term.objects.get().pk)
        return OutboxMail.objects.get(key=f"{key}:bills@example.org")
    key = name if name != "receipt" else "paid"
    found = OutboxMail.objects.filter(key__startswith=f"application.{key}:").order_by("-pk")
    return found.filter(key__endswith=":billing")[0] if name == "receipt" else found[0]


@pytest.mark.parametrize("name", NAMES)
def test_each_letter_says_the_same_in_text_and_html(written: None, name: str) -> None:
    letter = rendered(name)
    for form in (letter.subject, letter.text, letter.html):
        assert form.strip()
        assert not re.search(r"\{\{|\{%|\bNone\b|TODO|lorem|\[\w+\]", form, re.IGNORECASE), form
    assert NASTY not in letter.html
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", letter.html)).split())
    for line in letter.text.partition("\n-- ")[0].splitlines():
        said = " ".join(unescape(line).replace(NASTY, "").split()).rstrip(":")
        if line.strip() and NASTY not in line and not line.startswith("http"):
            assert said in words, (line, words)


def test_links_of_letters_open_in_both_forms(written: None) -> None:
    for letter in OutboxMail.objects.filter(key__startswith="application."):
        for link in re.findall(r"https?://\S+", letter.text):
            assert f'href="{link}"' in letter.html
    assert Application.objects.count() == 2


def test_each_reader_of_an_invoice_is_greeted_by_name_and_told_the_account(settings: Any) -> None:
    settings.SELLER_BANK = "IBAN FI21 1234; BIC EXAMPLE"
    tier = make_tier()
    people = {"billing_name": "Bill", "billing_email": "bill@example.org"}
    application = make_application(tier, owner_name="Olga", pays_by="invoice", **people)
    assert application.order is not None
    invoice = issue_invoice(actor=None, order=application.order, at=timezone.now())
    for write in (letters.invoice_sent, letters.invoice_overdue):
        write(application, invoice)
    for email, name in (("bill@example.org", "Bill"), (application.owner_email, "Olga")):
        found = OutboxMail.objects.filter(recipient=email, key__regex="invoice:|overdue:")
        assert len(found) == 2
        for letter in found:
            assert letter.text.startswith(f"Hello {name},")
            assert "To the account:\n  IBAN FI21 1234\n  BIC EXAMPLE\n" in letter.text
            assert "<br>BIC EXAMPLE" in letter.html


def test_a_new_owner_reads_of_money_that_goes_back_and_not_of_what_is_past() -> None:
    application = make_application(make_tier(), owner_name="Olga", owner_email="olga@example.org")
    order = application.order
    assert order is not None
    erin, now = make_person("erin"), timezone.now()
    half = {
        "actor": erin,
        "order": order,
        "amount": Money(order.amount.minor // 4, "EUR"),
        "at": now,
    }
    paid = {**half, "amount": order.amount}
    settle_order(order=record_offline_payment(**paid, statement_ref="1"))  # type: ignore[arg-type]
    settle_order(order=record_offline_refund(**half, statement_ref="2"))  # type: ignore[arg-type]
    application.refresh_from_db()
    assert application.organisation is not None
    owner = application.organisation.contacts.get(role="owner")
    owner.name, owner.email = "Tina", "tina@example.org"
    owner.save()
    settle_order(order=record_offline_refund(**half, statement_ref="3"))  # type: ignore[arg-type]
    about = OutboxMail.objects.filter(key__startswith="application.refunded:").order_by("pk")
    told: dict[str, list[str]] = {letter.recipient: [] for letter in about}
    for letter in about:
        told[letter.recipient].append(letter.text.splitlines()[0])
    assert told["olga@example.org"] == ["Hello Olga,"]
    assert told["tina@example.org"] == ["Hello Tina,"]
