"""What a provider's event says, in our words; pure. Shapes: Stripe's events, any API version.

A field that newer versions dropped or a caller never set (`customer`, `charge`) is not asked for.
To read another type: a fact in `facts.py`, a reader in the file of its noun, a line below.
"""

from collections.abc import Callable, Mapping
from typing import Any

from portal.payments.events import disputes, invoices, refunds, sessions, subscriptions
from portal.payments.events.facts import Fact
from portal.payments.events.fields import Thing, moment

Reader = Callable[[Thing, Any], Fact | None]


class MalformedEventError(ValueError):
    """A type that we know, without a field that it must have."""


READERS: dict[str, Reader] = {
    "checkout.session.completed": sessions.read_session,
    "checkout.session.async_payment_succeeded": sessions.read_session,
    "checkout.session.async_payment_failed": sessions.read_async_failed,
    "checkout.session.expired": sessions.read_expired,
    "payment_intent.payment_failed": sessions.read_declined,
    "charge.failed": sessions.read_declined_charge,
    "charge.succeeded": refunds.read_charge,
    "refund.created": refunds.read_refund,
    "refund.updated": refunds.read_refund,
    "refund.failed": refunds.read_failed_refund,
    "invoice.paid": invoices.read_paid,
    "invoice.payment_succeeded": invoices.read_paid,
    "invoice.payment_failed": invoices.read_failed,
    "invoice.finalized": invoices.read_issued,
    "invoice.sent": invoices.read_issued,
    "invoice.voided": invoices.read_voided,
    "invoice_payment.paid": invoices.read_payment,
    "customer.subscription.created": subscriptions.read_subscription,
    "customer.subscription.updated": subscriptions.read_subscription,
    "customer.subscription.paused": subscriptions.read_subscription,
    "customer.subscription.resumed": subscriptions.read_subscription,
    "customer.subscription.deleted": subscriptions.read_subscription,
    "charge.dispute.created": disputes.read_dispute,
    "charge.dispute.updated": disputes.read_dispute,
    "charge.dispute.closed": disputes.read_dispute,
    "charge.dispute.funds_withdrawn": disputes.read_withdrawn,
    "charge.dispute.funds_reinstated": disputes.read_reinstated,
}


def read(event: Mapping[str, Any]) -> Fact | None:
    """The fact in `event`, None for a type that means nothing to us.

    Raises MalformedEventError when a field is missing or of the wrong shape.
    """
    reader = READERS.get(str(event.get("type", "")))
    if reader is None:
        return None
    return reading(lambda: reader(event["data"]["object"], moment(event["created"])))


def reading(read: Callable[[], Fact | None]) -> Fact | None:
    """What `read` gives; a missing or wrong field as MalformedEventError."""
    try:
        return read()
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise MalformedEventError(f"{type(error).__name__}: {error}") from error
