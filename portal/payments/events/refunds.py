"""Money that goes back, and the names by which a payment is called; pure."""

from datetime import datetime

from portal.payments.events.facts import Fact, Named, Refunded
from portal.payments.events.fields import Thing, identity, known, moment_or_none, money, text


def read_refund(refund: Thing, at: datetime) -> Fact | None:
    """A refund counts from the moment it is promised; when it fails, the money is ours again.

    A failure has an event of its own; the update beside it says nothing about when it happened.
    """
    return _refund(refund, at, failed=refund.get("status") == "canceled")


def read_failed_refund(refund: Thing, at: datetime) -> Fact | None:
    return _refund(refund, at, failed=True)


def read_charge(charge: Thing, at: datetime) -> Fact | None:
    """A charge is the payment intent's under another name; older ones name their invoice too."""
    names = known(
        identity(charge.get("invoice")),
        identity(charge.get("payment_intent")),
        text(charge["id"]),
    )
    return Named(names) if len(names) > 1 else None


def _refund(refund: Thing, at: datetime, *, failed: bool) -> Fact | None:
    names = known(identity(refund.get("payment_intent")), identity(refund.get("charge")))
    if not names:
        return None
    return Refunded(
        refund_id=text(refund["id"]),
        names=names,
        amount=money(refund["amount"], refund["currency"]),
        failed=failed,
        at=moment_or_none(refund.get("created")) or at,
        failed_at=at,
    )
