"""Sign-ups with a coupon, with VAT, and by invoice, against a provider that answers as told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.members.actions.tier import save_tier
from portal.payments import asking
from portal.payments.actions.coupon import create_coupon
from portal.payments.actions.payment import record_offline_payment
from portal.payments.actions.provider_invoice import note_voided_invoice
from portal.payments.events.facts import InvoiceVoided
from portal.payments.models import Coupon, Customer, Invoice, Order
from portal.payments.providers import (
    CustomerRequest,
    HostedInvoice,
    InvoiceRequest,
    ProviderError,
)
from portal.payments.tests.factories import make_payment
from portal.payments.tests.histories import events_of
from portal.sponsors import invoicing, sweeps
from portal.sponsors.actions.application import (
    choose_payment,
    submit_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application
from portal.sponsors.quote import quote
from tests.supporters import make_draft, make_tier, may_open

pytestmark = pytest.mark.django_db
NBSP = "\N{NO-BREAK SPACE}"


class Collector:
    """A provider that collects invoices, until it is told to be away."""

    name = "twin"
    simulated = True

    def __init__(self) -> None:
        self.away = False
        self.status = "open"
        self.paid: dict[str, Any] = {}
        self.customers: list[CustomerRequest] = []
        self.numbers: list[tuple[str, str]] = []
        self.asked: list[InvoiceRequest] = []

    def create_customer(self, request: CustomerRequest) -> str:
        if self.away:
            raise ProviderError("nobody answers")
        self.customers.append(request)
        return "cus_1"

    def add_tax_id(self, customer_id: str, country: str, number: str) -> bool:
        self.numbers.append((country, number))
        return True

    def send_invoice(self, request: InvoiceRequest) -> HostedInvoice:
        if self.away:
            raise ProviderError("nobody answers")
        self.asked.append(request)
        return HostedInvoice("in_1", "https://pay.example/in_1", {})

    def fetch_invoice(self, invoice_id: str) -> HostedInvoice:
        if not self.paid:
            raise ProviderError("nobody answers")
        return HostedInvoice(invoice_id, "", self.paid)

    def void_invoice(self, invoice_id: str) -> HostedInvoice:
        status = "void" if self.status == "open" else self.status
        return HostedInvoice(invoice_id, "", {"status": status})


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Collector:
    settings.SELLER_COUNTRY, settings.SELLER_VAT_RATE_BP = "FI", 2550
    found = Collector()
    monkeypatch.setattr(invoicing, "provider", lambda: found)
    monkeypatch.setattr(asking, "provider", lambda: found)
    monkeypatch.setattr(asking, "ASK_AGAIN", timedelta())  # each look asks
    return found


def drafted(client: Client, **values: Any) -> str:
    draft = make_draft(make_tier(), **values)
    may_open(client, draft)
    return f"/join/{draft.reference}/"


def by_invoice(client: Client, **values: Any) -> str:
    path = drafted(client, **values)
    answer = client.post(f"{path}payment/", {"pays_by": "invoice"}, follow=True)
    assert answer.status_code == 200
    return path


def text(answer: Any) -> str:
    return str(answer.content.decode())


def coupon(staff: User, **more: Any) -> Coupon:
    since = timezone.now() - timedelta(days=1)
    return create_coupon(actor=staff, code="early", percent=10, valid_from=since, **more)


def letters(kind: str) -> list[OutboxMail]:
    found = OutboxMail.objects.filter(key__startswith=f"application.{kind}:")
    return list(found.order_by("pk"))


@pytest.mark.parametrize(
    ("country", "number", "reason", "total"),
    [
        ("FI", "FI20774740", "country of the foundation", 25_100_00),
        ("DE", "DE811907980", "under DE811907980 (reverse charge)", 20_000_00),
        ("DE", "", "You gave no VAT number", 25_100_00),
        ("US", "", "outside its territory", 20_000_00),
    ],
)
def test_vat_is_shown_with_its_reason_before_paying(
    collector: Collector, client: Client, country: str, number: str, reason: str, total: int
) -> None:
    path = drafted(client, country=country, vat_number=number)
    page = text(client.get(f"{path}payment/"))
    assert reason in page
    assert f"Order for {Money(total, 'EUR')}" in page
    submit_application(actor=None, application=Application.objects.get(), at=timezone.now())
    assert Order.objects.get().amount == Money(total, "EUR")


def test_a_foundation_without_vat_says_so(client: Client) -> None:
    assert "charges no VAT" in text(client.get(f"{drafted(client)}payment/"))


def test_a_coupon_lowers_the_order_and_is_told_when_it_does_not(
    client: Client, frank: User
) -> None:
    path = f"{drafted(client)}payment/"
    wrong = client.post(path, {"pays_by": "card", "coupon_code": "nope", "apply": "yes"})
    assert "There is no such coupon" in text(wrong)
    assert 'value="nope"' in text(wrong)
    coupon(frank)
    page = client.post(path, {"pays_by": "card", "coupon_code": "early", "apply": "y"}, follow=True)
    assert "Coupon EARLY" in text(page)
    assert f"Order for 18,000{NBSP}€" in text(page)
    submit_application(actor=None, application=Application.objects.get(), at=timezone.now())
    order = Order.objects.get()
    assert (order.amount, order.discount) == (Money(18_000_00, "EUR"), Money(2_000_00, "EUR"))


def test_a_coupon_that_ended_meanwhile_is_not_given(client: Client, frank: User) -> None:
    path = f"{drafted(client)}payment/"
    found = coupon(frank, uses=1)
    client.post(path, {"pays_by": "card", "coupon_code": "early", "apply": "yes"})
    Coupon.objects.filter(pk=found.pk).update(valid_until=timezone.now())
    assert f"Order for 20,000{NBSP}€" in text(client.get(path))
    with pytest.raises(NotPossibleError, match="not valid today"):
        submit_application(actor=None, application=Application.objects.get(), at=timezone.now())


def test_an_invoice_is_issued_sent_and_shown(collector: Collector, client: Client) -> None:
    path = by_invoice(client, country="FI", vat_number="FI20774740", billing_email="b@acme.example")
    invoice = Invoice.objects.get()
    page = text(client.get(path))
    for words in ("Invoice sent", invoice.number, "https://pay.example/in_1", "invoice.pdf"):
        assert words in page
    [request] = collector.asked
    assert request.days_until_due == 30, "the day that our invoice names"
    net, tax = request.lines
    assert (net[1], tax[1]) == (Money(20_000_00, "EUR"), Money(5_100_00, "EUR"))
    assert collector.numbers == [("FI", "FI20774740")]
    assert Customer.objects.get().customer_id == "cus_1"
    to_billing, to_owner = letters("invoice")
    assert (to_billing.recipient, to_owner.recipient) == ("b@acme.example", "alice@example.org")
    for form in (to_billing.text, to_billing.html):
        assert "https://pay.example/in_1" in form
        assert invoice.number in form
    file = client.get(f"{path}invoice.pdf")
    assert file.content.startswith(b"%PDF-")
    assert Client().get(f"{path}invoice.pdf").status_code == 404


def test_an_invoice_waits_for_a_provider_that_is_away(collector: Collector, client: Client) -> None:
    collector.away = True
    path = by_invoice(client)
    page = text(client.get(path))
    assert "page to pay it online is being made" in page
    assert "Invoice issued" in page
    assert "Invoice sent" not in page
    assert invoicing.send_waiting_invoices(at=timezone.now()) == 0
    assert not letters("invoice")
    later = timezone.now() + timedelta(minutes=11)
    invoicing.send_waiting_invoices(at=later)
    [letter] = letters("invoice")
    assert "https://pay" not in letter.text
    collector.away = False
    assert invoicing.send_waiting_invoices(at=later) == 1
    assert invoicing.send_waiting_invoices(at=later) == 0
    assert len(letters("invoice")) == 1
    assert Invoice.objects.get().hosted_url == "https://pay.example/in_1"


def test_an_overdue_invoice_is_reminded_of_once_and_then_void(
    collector: Collector, client: Client
) -> None:
    path, now = drafted(client), timezone.now()
    then = now - timedelta(days=40)
    found = Application.objects.get()
    choose_payment(actor=None, application=found, pays_by="invoice", coupon_code="", at=then)
    sent = submit_application(actor=None, application=found, at=then)
    invoicing.send_invoice(application=sent, at=then)
    assert "Your invoice is overdue" in text(client.get(path))
    for _ in range(2):
        assert sweeps.remind_overdue(at=now) == 1
    assert len(letters("overdue")) == 1
    Application.objects.update(held_until=now)
    collector.status = "paid"
    assert sweeps.release_overdue_places(at=now) == 0
    collector.status = "open"
    assert sweeps.release_overdue_places(at=now) == 1
    assert Invoice.objects.get().voided_at == now
    assert Application.objects.get().state == "released"
    assert Order.objects.get().closed_at == now


def test_an_invoice_paid_late_makes_a_supporter_all_the_same(
    collector: Collector, client: Client, erin: User
) -> None:
    path = by_invoice(client)
    order = Order.objects.get()
    now = timezone.now()
    Application.objects.update(held_until=now)
    sweeps.release_overdue_places(at=now)
    record_offline_payment(
        actor=erin, order=order, amount=order.amount, statement_ref="12/3", at=now
    )
    settle_order(order=order)
    assert "is a supporter" in text(client.get(path))


def test_an_invoice_that_was_paid_online_is_known_before_its_webhook(
    collector: Collector, client: Client
) -> None:
    path = by_invoice(client)
    assert "You are not a supporter yet" in text(client.get(path))
    told = events_of("invoice paid late", Order.objects.get())
    collector.paid = next(e["data"]["object"] for e in told if e["type"] == "invoice.paid")
    assert "is a supporter" in text(client.get(path))


def test_tiers_that_exclude_each_other_are_not_held_together(
    client: Client, client_for: Callable[[User], Client]
) -> None:
    gold, silver = make_tier("gold"), make_tier("silver")
    save_tier(actor=None, tier=silver, conflicts=[gold])
    now = timezone.now()
    submit_application(actor=None, application=make_draft(gold), at=now)
    second = make_draft(silver, vat_number="")
    may_open(client, second)
    page = client.post(f"/join/{second.reference}/payment/", {"pays_by": "card"}, follow=True)
    assert "You hold Gold 2026" in text(page)
    other = make_draft(silver, legal_name="Other GmbH", vat_number="")
    assert submit_application(actor=None, application=other, at=now).state == "payment"


def test_a_customer_is_known_again_by_its_organisation(collector: Collector) -> None:
    draft = make_draft(make_tier())
    assert quote(draft, timezone.now()).total == Money(20_000_00, "EUR")
    assert collector.customers == []


def test_what_was_paid_by_bank_cannot_be_paid_online_too(
    collector: Collector, client: Client, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_invoice(client)
    assert invoicing.close_paid_elsewhere() == 0, "it is still to be paid"
    order, now = Order.objects.get(), timezone.now()
    paid = record_offline_payment(
        actor=erin, order=order, amount=order.amount, statement_ref="12/3", at=now
    )
    with monkeypatch.context() as patch:
        patch.setattr(collector, "void_invoice", silent)
        assert invoicing.close_paid_elsewhere() == 0
        assert Invoice.objects.get().hosted_url, "asked again by the next sweep"
    assert invoicing.close_paid_elsewhere() == 1
    assert invoicing.close_paid_elsewhere() == 0
    told = InvoiceVoided(invoice_id="in_1", reference=str(order.reference), at=now)
    note_voided_invoice(collector.name, told)
    invoice = Invoice.objects.get()
    assert (invoice.hosted_url, invoice.voided_at) == ("", None), "ours was paid"
    assert paid.state == "paid"


def test_what_was_paid_online_is_left_alone(collector: Collector, client: Client) -> None:
    by_invoice(client)
    order = Order.objects.get()
    make_payment(order, provider=collector.name)
    Order.objects.update(state="paid", paid_at=timezone.now(), receipt_number="2026-0001")
    assert invoicing.close_paid_elsewhere() == 0


def silent(invoice_id: str) -> HostedInvoice:
    raise ProviderError("nobody answers")
