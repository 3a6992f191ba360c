"""What can be true of a payment, a subscription or a dispute, in our words; pure."""

from dataclasses import dataclass
from datetime import datetime

from portal.lib.money import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFact:
    """A session of the hosted page belongs to the order with this reference."""

    session_id: str
    reference: str
    subscription_id: str = ""  # what it began, where it began one
    customer_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid(SessionFact):
    payment_ref: str
    amount: Money
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun(SessionFact):
    """A subscription began and its first money came; the invoice's event brings that to book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaid(SessionFact):
    """The visitor finished, the money is still under way (or never comes)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AsyncFailed(SessionFact):
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired(SessionFact):
    pass


@dataclass(frozen=True, slots=True)
class Declined:
    """One attempt on the hosted page was refused; the visitor was told there and may retry.

    The first charge of a subscription names no order, only who was to pay how much.
    """

    reference: str
    at: datetime
    email: str = ""
    minor: int = 0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """These are names of one payment."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refunded:
    refund_id: str
    names: tuple[str, ...]  # of the payment, the one to wait for first
    amount: Money
    failed: bool
    at: datetime  # when it was promised, in every event about it
    failed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceFact:
    """An invoice of the provider: of an order that we named there, or of a subscription."""

    invoice_id: str
    reference: str  # of the order, where we asked for the invoice
    number: str = ""  # of our invoice
    printed_number: str = ""  # on the provider's, which may have one of its own
    subscription: str = ""  # our reference of it
    subscription_id: str = ""
    customer_id: str = ""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaid(InvoiceFact):
    amount: Money
    names: tuple[str, ...]  # of its payment, as far as this shape tells
    is_first: bool  # of its subscription


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceFailed(InvoiceFact):
    amount: Money
    attempt: int
    next_attempt_at: datetime | None
    pay_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceIssued(InvoiceFact):
    pay_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceVoided(InvoiceFact):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionTold:
    """How a subscription stood at a moment of the provider's clock."""

    subscription_id: str
    reference: str  # ours
    customer_id: str
    state: str
    price: Money
    interval: str
    interval_count: int
    period_start: datetime | None
    period_end: datetime | None
    cancel_at_period_end: bool
    canceled_at: datetime | None
    ended_at: datetime | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeTold:
    """How a dispute stood at a moment, and which of its money had moved by then."""

    dispute_id: str
    names: tuple[str, ...]
    state: str
    reason: str
    amount: Money
    evidence_due_at: datetime | None
    opened_at: datetime
    withdrawn: bool
    returned_at: datetime | None
    at: datetime


Fact = (
    Paid
    | Begun
    | Unpaid
    | AsyncFailed
    | Expired
    | Declined
    | Named
    | Refunded
    | InvoicePaid
    | InvoiceFailed
    | InvoiceIssued
    | InvoiceVoided
    | SubscriptionTold
    | DisputeTold
)
