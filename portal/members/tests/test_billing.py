"""Invoices, receipts, credit notes and the payment method of an organisation."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.models import Organisation
from portal.members.papers import customer_of, orders_of, to_pay
from portal.members.tests.people import make_credit_note, make_organisation, make_term, make_tier
from portal.members.views import billing
from portal.payments.actions.payment import record_offline_payment
from portal.payments.models import Order
from portal.payments.providers import ProviderError
from portal.payments.tests.factories import make_customer, make_invoice
from tests.shared import shared

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
PAGE = "/organisation/acme/invoices/"


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


@shared
def order(acme: Organisation) -> Order:
    return make_term(acme, make_tier(), timezone.now()).order


def text(client: Client) -> str:
    return client.get(PAGE).content.decode()


def test_an_open_invoice_heads_the_page(order: Order, alice: User, client_for: SignIn) -> None:
    now = timezone.now()
    days = {"issued_at": now, "due_at": now + timedelta(days=9)}
    invoice = make_invoice(order, hosted_url="https://pay.example/1", **days)
    page = text(client_for(alice))
    assert "1 invoice waits for its payment" in page
    assert f"Invoice {invoice.number} is due on" in page
    assert "https://pay.example/1" in page
    assert to_pay([invoice], now + timedelta(days=10)) == [(invoice, True)]


def test_an_overdue_invoice_says_so(order: Order, alice: User, client_for: SignIn) -> None:
    make_invoice(order)
    assert "was due on" in text(client_for(alice))


def test_a_paid_invoice_is_done_and_has_its_receipt(
    order: Order, alice: User, erin: User, client_for: SignIn
) -> None:
    make_invoice(order)
    record_offline_payment(
        actor=erin, order=order, amount=order.amount, statement_ref="1", at=timezone.now()
    )
    page = text(client_for(alice))
    assert "Nothing is to be paid" in page
    order.refresh_from_db()
    assert f"/organisation/acme/receipts/{order.receipt_number}.pdf" in page


def test_papers_are_the_same_file_each_time(order: Order, alice: User, client_for: SignIn) -> None:
    invoice, note = make_invoice(order), make_credit_note(order)
    client = client_for(alice)
    for path in (f"invoices/{invoice.number}.pdf", f"credit-notes/{note.number}.pdf"):
        first = client.get(f"/organisation/acme/{path}")
        assert first.content.startswith(b"%PDF-")
        assert first["Cache-Control"] == "private, no-store"
        assert client.get(f"/organisation/acme/{path}").content == first.content
    assert note.number in text(client)


def test_papers_of_others_and_unknown_ones_are_not_found(
    order: Order, alice: User, client_for: SignIn
) -> None:
    zenith = make_term(make_organisation("Zenith"), make_tier("silver"), timezone.now())
    other = make_invoice(zenith.order)
    client = client_for(alice)
    for path in (f"invoices/{other.number}", "receipts/2026-0", "credit-notes/2026-0"):
        assert client.get(f"/organisation/acme/{path}.pdf").status_code == 404


def test_without_a_customer_no_payment_method_is_kept(
    order: Order, alice: User, client_for: SignIn
) -> None:
    client = client_for(alice)
    assert "No payment method is kept" in text(client)
    assert client.post("/organisation/acme/payment-method/")["Location"] == PAGE


def test_the_customer_is_that_of_the_newest_order_at_this_provider(
    order: Order, acme: Organisation
) -> None:
    order.customer = make_customer(customer_id="cus_1")
    order.save()
    orders = orders_of(acme)
    assert customer_of(orders, "twin") == order.customer
    assert customer_of(orders, "stripe") is None


class Portal:
    """The provider's side, at its edge: what is asked, and what it answers."""

    name = "twin"

    def customer_portal(self, customer_id: str, return_url: str) -> str:
        assert return_url.endswith(PAGE)
        if customer_id == "cus_away":
            raise ProviderError("not there")
        return f"https://billing.example/{customer_id}"


def test_the_payment_method_is_changed_on_the_pages_of_the_provider(
    order: Order, alice: User, client_for: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(billing, "provider", Portal)
    order.customer = make_customer(customer_id="cus_1")
    order.save()
    client = client_for(alice)
    assert "Change the payment method" in text(client)
    path = "/organisation/acme/payment-method/"
    assert client.post(path)["Location"] == "https://billing.example/cus_1"
    order.customer = make_customer(customer_id="cus_away")
    order.save()
    assert client.post(path)["Location"] == PAGE
    assert "does not answer now" in text(client)


def test_amounts_are_printed_as_they_were_ordered(
    order: Order, alice: User, client_for: SignIn
) -> None:
    make_invoice(order)
    assert str(Money(100_00, "EUR")) in text(client_for(alice))
