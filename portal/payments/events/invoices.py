"""Invoices of the provider, in the shapes of before and after 2025-03-31; pure.

Newer ones have no `charge` and no `payment_intent`: an event of its own names their payment.
Newer ones keep their subscription under `parent`, older ones beside it.
"""

from datetime import datetime
from typing import Any

from portal.payments.events.facts import (
    Fact,
    InvoiceFailed,
    InvoiceIssued,
    InvoicePaid,
    InvoiceVoided,
    Named,
)
from portal.payments.events.fields import (
    Thing,
    identity,
    inner,
    known,
    listed,
    metadata,
    moment_or_none,
    money,
    text,
)


def read_paid(invoice: Thing, at: datetime) -> Fact | None:
    """Money came for it; one of nothing is no payment."""
    amount = money(invoice["amount_paid"], invoice["currency"])
    if amount.minor <= 0 or invoice.get("status") not in {"paid", None}:
        return None
    paid_at = moment_or_none(inner(invoice, "status_transitions").get("paid_at"))
    return InvoicePaid(
        **_named(invoice) | {"at": paid_at or at},
        amount=amount,
        names=_payment_names(invoice),
        is_first=invoice.get("billing_reason") == "subscription_create",
    )


def read_failed(invoice: Thing, at: datetime) -> Fact:
    return InvoiceFailed(
        **_named(invoice),
        at=at,
        amount=money(invoice["amount_due"], invoice["currency"]),
        attempt=int(invoice.get("attempt_count") or 0),
        next_attempt_at=moment_or_none(invoice.get("next_payment_attempt")),
        pay_url=str(invoice.get("hosted_invoice_url") or ""),
    )


def read_issued(invoice: Thing, at: datetime) -> Fact:
    return InvoiceIssued(
        **_named(invoice), at=at, pay_url=str(invoice.get("hosted_invoice_url") or "")
    )


def read_voided(invoice: Thing, at: datetime) -> Fact:
    voided_at = moment_or_none(inner(invoice, "status_transitions").get("voided_at"))
    return InvoiceVoided(**_named(invoice), at=voided_at or at)


def read_invoice(invoice: Thing, at: datetime) -> Fact | None:
    """What an invoice says when it is asked for, without an event."""
    readers = {"paid": read_paid, "void": read_voided, "open": read_issued}
    reader = readers.get(str(invoice.get("status")))
    return reader(invoice, at) if reader else None


def read_payment(payment: Thing, at: datetime) -> Fact | None:
    """`invoice_payment.paid`: the name of the payment of an invoice."""
    names = known(text(identity(payment["invoice"])), *_names(inner(payment, "payment")))
    return Named(names) if len(names) > 1 else None


def _named(invoice: Thing) -> dict[str, Any]:
    details = inner(invoice, "parent", "subscription_details")
    older = inner(invoice, "subscription_details")
    return {
        "invoice_id": text(invoice["id"]),
        "reference": metadata(invoice, "order"),
        "number": metadata(invoice, "invoice"),
        "printed_number": str(invoice.get("number") or ""),
        "subscription": metadata(details, "subscription") or metadata(older, "subscription"),
        "subscription_id": identity(details.get("subscription"))
        or identity(invoice.get("subscription")),
        "customer_id": identity(invoice.get("customer")),
    }


def _payment_names(invoice: Thing) -> tuple[str, ...]:
    own = _names(invoice)
    listed_ones = [
        name for row in listed(invoice.get("payments")) for name in _names(inner(row, "payment"))
    ]
    return known(*own, *listed_ones)


def _names(thing: Thing) -> tuple[str, ...]:
    return known(identity(thing.get("payment_intent")), identity(thing.get("charge")))
