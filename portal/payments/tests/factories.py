"""Rows of this app for tests, made by its own actions where there is one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from portal.lib.money import Money
from portal.payments.actions.order import place_order
from portal.payments.models import (
    Coupon,
    Customer,
    Dispute,
    Invoice,
    LedgerEntry,
    NumberSeries,
    Order,
    Subscription,
)

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
PRICE = Money(500_00, "EUR")
_numbers = count(1)


def make_customer(**fields: Any) -> Customer:
    given = {"provider": "twin", "customer_id": f"cus_f{next(_numbers)}"}
    named = {"email": "billing@acme.example", "name": "Acme GmbH"}
    return Customer.objects.create(**given | named | fields)


def make_order(amount: Money = PRICE, **fields: Any) -> Order:
    named = {"description": "Silver member 2026", "billing_name": "Acme GmbH"}
    return place_order(
        **{"actor": None, "amount": amount, "billing_email": "billing@acme.example"}
        | named
        | fields
    )


def make_subscription(amount: Money = PRICE, **fields: Any) -> Subscription:
    values = {
        "provider": "twin",
        "subscription_id": f"sub_f{next(_numbers)}",
        "description": "Silver member",
        "price_minor": amount.minor,
        "currency": amount.currency,
        "interval": "year",
        "state": "active",
        "current_period_start": AT,
        "current_period_end": AT + timedelta(days=365),
        "told_at": AT,
    }
    return Subscription.objects.create(**values | fields)


def make_payment(order: Order, amount: Money | None = None, **fields: Any) -> LedgerEntry:
    """A booked payment; the order's state stays for the actions to say."""
    paid = amount or order.amount
    values = {
        "order": order,
        "kind": "payment",
        "amount_minor": paid.minor,
        "currency": paid.currency,
        "provider": "twin",
        "provider_ref": f"pi_f{next(_numbers)}",
        "occurred_at": AT,
    }
    return LedgerEntry.objects.create(**values | fields)


def make_invoice(order: Order | None = None, **fields: Any) -> Invoice:
    values = {
        "order": order or make_order(),
        "number": NumberSeries.next_number(NumberSeries.Kind.INVOICE, AT.year),
        "issued_at": AT,
        "due_at": AT + timedelta(days=30),
        "seller_lines": "Example DB Foundation",
    }
    return Invoice.objects.create(**values | fields)


def make_dispute(order: Order | None = None, **fields: Any) -> Dispute:
    about = order or make_order()
    values = {
        "order": about,
        "provider": "twin",
        "dispute_id": f"du_f{next(_numbers)}",
        "state": "needs_response",
        "reason": "fraudulent",
        "amount_minor": about.amount_minor,
        "currency": about.currency,
        "evidence_due_at": AT + timedelta(days=7),
        "opened_at": AT,
        "told_at": AT,
    }
    return Dispute.objects.create(**values | fields)


def make_coupon(code: str = "EARLY", **fields: Any) -> Coupon:
    values = {"percent": 20} if "amount_minor" not in fields else {}
    return Coupon.objects.create(**{"code": code, "valid_from": AT} | values | fields)
