"""Sessions of the hosted page, and the attempts made on it; pure."""

from datetime import datetime

from portal.payments.events.facts import AsyncFailed, Begun, Declined, Expired, Fact, Paid, Unpaid
from portal.payments.events.fields import Thing, identity, inner, money, order_reference, text

SETTLED = {"paid", "no_payment_required"}


def read_session(session: Thing, at: datetime) -> Fact | None:
    """What a checkout session says, from an event or from asking for it."""
    named = _named(session)
    if session.get("status") == "expired":
        return Expired(**named)
    payment_status = session.get("payment_status")
    if session.get("mode") == "subscription" and payment_status in SETTLED:
        return Begun(**named)
    if payment_status == "paid":
        return Paid(
            **named,
            payment_ref=identity(session.get("payment_intent")) or named["session_id"],
            amount=money(session["amount_total"], session["currency"]),
            at=at,
        )
    return Unpaid(**named) if session.get("status") == "complete" else None


def read_async_failed(session: Thing, at: datetime) -> Fact:
    return AsyncFailed(**_named(session), at=at)


def read_expired(session: Thing, at: datetime) -> Fact:
    return Expired(**_named(session))


def read_declined(intent: Thing, at: datetime) -> Fact:
    return Declined(order_reference(intent), at)


def read_declined_charge(charge: Thing, at: datetime) -> Fact:
    return Declined(
        order_reference(charge),
        at,
        email=str(inner(charge, "billing_details").get("email") or ""),
        minor=int(charge["amount"]),
        currency=str(charge["currency"]).upper(),
    )


def _named(session: Thing) -> dict[str, str]:
    return {
        "session_id": text(session["id"]),
        "reference": order_reference(session),
        "subscription_id": identity(session.get("subscription")),
        "customer_id": identity(session.get("customer")),
    }
