"""What a provider is asked for, and what it answers; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.lib.money import Money


@dataclass(frozen=True, slots=True)
class Recurring:
    """What a subscription costs each period, after the first payment."""

    subscription: str  # our reference; comes back in every event
    price: Money
    interval: str  # month or year
    interval_count: int = 1


@dataclass(frozen=True, slots=True)
class CheckoutRequest:
    """What the hosted page needs to know."""

    reference: str  # of the order; comes back in every event
    description: str
    amount: Money  # of this payment; lower than the recurring price where a coupon lowers it
    email: str
    success_url: str
    cancel_url: str
    attempt: int  # makes the request idempotent: the same attempt gives the same session
    customer_id: str = ""
    recurring: Recurring | None = None


@dataclass(frozen=True, slots=True)
class HostedCheckout:
    """A session as the provider describes it: its address, and the object as it came."""

    session_id: str
    url: str
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CustomerRequest:
    reference: str
    name: str
    email: str
    country: str = ""
    reverse_charge: bool = False


@dataclass(frozen=True, slots=True)
class InvoiceRequest:
    """An invoice to be paid by bank transfer or on the provider's page."""

    reference: str  # of the order
    number: str  # of our invoice
    customer_id: str
    lines: tuple[tuple[str, Money], ...]  # what for, how much: net and VAT, one currency
    days_until_due: int
    remark: str = ""


@dataclass(frozen=True, slots=True)
class HostedInvoice:
    invoice_id: str
    url: str
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Movement:
    """Money that the provider says came or went; `currency` may be one that we do not know."""

    kind: str  # of a ledger entry
    ref: str  # of the refund or dispute; of a payment, its intent
    names: tuple[str, ...]  # of the payment
    minor: int
    currency: str
    at: datetime
    description: str = ""
