"""What the database promises about money."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from portal.lib.money import Money
from portal.payments.models import Coupon, CreditNote, Invoice, NumberSeries, Order, Subscription
from portal.payments.models.dispute import Dispute
from portal.payments.models.invoice import InvoiceState
from portal.payments.tests.factories import (
    AT,
    PRICE,
    make_coupon,
    make_customer,
    make_dispute,
    make_invoice,
    make_order,
    make_payment,
    make_subscription,
)

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=40)


def refused(make: Any, *arguments: Any, **fields: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make(*arguments, **fields)


def test_numbers_of_a_series_have_no_gap_and_each_year_its_own() -> None:
    kinds = NumberSeries.Kind
    taken = [
        NumberSeries.next_number(kind, year)
        for kind, year in [
            *((kinds.INVOICE, 2026), (kinds.INVOICE, 2026), (kinds.INVOICE, 2027)),
            *((kinds.CREDIT_NOTE, 2026), (kinds.RECEIPT, 2026)),
        ]
    ]
    assert taken == ["INV-2026-0001", "INV-2026-0002", "INV-2027-0001", "CN-2026-0001", "2026-0001"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"net_minor": 1},
        {"tax_minor": -1, "net_minor": 500_01},
        {"tax_minor": 100_00, "net_minor": 400_00, "tax_rate_bp": 0},
        {"discount_minor": 5},
        {"amount_minor": 0, "net_minor": 0},
    ],
)
def test_an_order_sums_up(wrong: dict[str, int]) -> None:
    order = make_order()
    refused(Order.objects.filter(pk=order.pk).update, **wrong)


def test_an_invoice_of_the_provider_makes_one_order() -> None:
    make_order()
    orders = [make_order(), make_order()]
    invoice = {"provider": "twin", "provider_invoice_id": "in_1"}
    Order.objects.filter(pk=orders[0].pk).update(**invoice)
    refused(Order.objects.filter(pk=orders[1].pk).update, **invoice)


def test_a_customer_and_a_subscription_are_known_once() -> None:
    make_customer(customer_id="")
    make_customer(customer_id="")
    make_customer(customer_id="cus_a")
    refused(make_customer, customer_id="cus_a")
    make_subscription(subscription_id="sub_a")
    refused(make_subscription, subscription_id="sub_a")
    refused(make_subscription, interval="week")
    refused(make_subscription, amount=Money(0, "EUR"))
    refused(make_subscription, current_period_end=AT - timedelta(days=1))


def test_a_subscription_says_when_it_takes_money_again() -> None:
    running = make_subscription()
    ending = make_subscription(cancel_at_period_end=True)
    over = make_subscription(state="canceled")
    late = make_subscription(state="past_due")
    assert running.renews_at() == running.current_period_end
    assert ending.renews_at() is None
    assert over.renews_at() is None
    assert over.is_over
    assert set(Subscription.objects.renewing()) == {running, late}
    assert list(Subscription.objects.over()) == [over]
    assert list(Subscription.objects.troubled()) == [late]


def test_an_order_has_one_invoice_that_counts() -> None:
    first = make_invoice()
    refused(make_invoice, first.order)
    Invoice.objects.filter(pk=first.pk).update(voided_at=AT)
    second = make_invoice(first.order)
    assert [invoice.number for invoice in Invoice.objects.valid()] == [second.number]
    refused(make_invoice, due_at=AT - timedelta(days=1))
    refused(make_invoice, pdf=b"%PDF")


def test_an_invoice_is_what_its_order_is() -> None:
    invoice = make_invoice()
    assert invoice.state_at(AT) == InvoiceState.OPEN
    assert invoice.state_at(LATER) == InvoiceState.OVERDUE
    assert list(Invoice.objects.overdue(LATER)) == [invoice]
    assert list(Invoice.objects.overdue(AT)) == []
    invoice.order.state = "paid"
    invoice.order.save()
    assert invoice.state_at(LATER) == InvoiceState.PAID
    assert list(Invoice.objects.unpaid()) == []
    invoice.voided_at = LATER
    assert invoice.state_at(LATER) == InvoiceState.VOID


def test_the_database_keeps_an_invoice_as_it_was_issued() -> None:
    invoice = make_invoice()
    rows = Invoice.objects.filter(pk=invoice.pk)
    rows.update(hosted_url="https://pay.example/1", provider_invoice_id="in_1")
    rows.update(pdf=b"%PDF-1", pdf_sha256="a" * 64)
    changes: list[dict[str, Any]] = [
        {"number": "INV-2026-9999"},
        {"due_at": LATER},
        {"seller_lines": "Somebody else"},
        {"pdf": b"%PDF-2"},
        {"pdf": None, "pdf_sha256": ""},
    ]
    for change in changes:
        with pytest.raises(DatabaseError, match="as it was issued"), transaction.atomic():
            rows.update(**change)
    with pytest.raises(DatabaseError, match="as it was issued"), transaction.atomic():
        rows.delete()


def test_the_database_keeps_a_credit_note_as_it_was_issued() -> None:
    order = make_order()
    entry = make_payment(order, -order.amount, kind="refund")
    note = CreditNote.objects.create(
        number="CN-2026-0001",
        issued_at=AT,
        seller_lines="Example DB Foundation",
        entry=entry,
        order=order,
        net_minor=500_00,
        tax_minor=0,
        currency="EUR",
    )
    assert note.amount == PRICE
    assert str(note) == "CN-2026-0001"
    CreditNote.objects.filter(pk=note.pk).update(annulled_at=LATER)
    with pytest.raises(DatabaseError, match="as it was issued"), transaction.atomic():
        CreditNote.objects.filter(pk=note.pk).update(net_minor=1)


def test_what_a_bank_takes_is_negative() -> None:
    order = make_order()
    make_payment(order, -PRICE, kind="dispute")
    make_payment(order, PRICE, kind="dispute_returned")
    refused(make_payment, order, PRICE, kind="dispute")
    refused(make_payment, order, -PRICE, kind="dispute_returned")


def test_a_dispute_is_known_once_and_waits_until_its_answer_is_due() -> None:
    urgent = make_dispute(dispute_id="du_a")
    make_dispute(state="won")
    later = make_dispute(evidence_due_at=LATER)
    refused(make_dispute, dispute_id="du_a")
    assert list(Dispute.objects.answer_due(AT)) == [urgent, later]
    assert list(Dispute.objects.answer_due(AT + timedelta(days=8))) == [later]
    assert set(Dispute.objects.open()) == {urgent, later}
    assert not urgent.is_closed


@pytest.mark.parametrize(
    "wrong",
    [
        {"code": "early"},
        {"percent": 100},
        {"percent": 0},
        {"percent": None},
        {"amount_minor": 5, "currency": "EUR"},
        {"percent": None, "amount_minor": 5},
        {"valid_until": AT - timedelta(days=1)},
    ],
)
def test_a_coupon_is_a_share_or_an_amount(wrong: dict[str, Any]) -> None:
    coupon = make_coupon()
    refused(Coupon.objects.filter(pk=coupon.pk).update, **wrong)


def test_a_coupon_takes_off_its_own_currency_only() -> None:
    assert make_coupon().off(Money(999, "EUR")) == Money(199, "EUR")
    fixed = make_coupon("FIXED", amount_minor=50_00, currency="EUR")
    assert fixed.off(PRICE) == Money(50_00, "EUR")
    assert fixed.off(Money(9, "JPY")) == Money(0, "JPY")
    assert list(Coupon.objects.named(" fixed ").valid_at(AT)) == [fixed]
    assert fixed.uses_left is None
