"""What a provider's event says, in our words; pure. Shapes: Stripe's events, any API version.

A field that newer versions dropped or a caller never set (`customer`, `charge`) is not asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from portal.lib.money import Money


class MalformedEventError(ValueError):
    """A type that we know, without a field that it must have."""


@dataclass(frozen=True, slots=True)
class SessionFact:
    """A session of the hosted page belongs to the order with this reference."""

    session_id: str
    reference: str


@dataclass(frozen=True, slots=True)
class Paid(SessionFact):
    payment_ref: str
    amount: Money
    at: datetime


@dataclass(frozen=True, slots=True)
class Unpaid(SessionFact):
    """The visitor finished, the money is still under way (or never comes)."""


@dataclass(frozen=True, slots=True)
class AsyncFailed(SessionFact):
    at: datetime


@dataclass(frozen=True, slots=True)
class Expired(SessionFact):
    pass


@dataclass(frozen=True, slots=True)
class Declined:
    """One attempt on the hosted page was refused; the visitor was told there and may retry."""

    reference: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Refunded:
    refund_id: str
    payment_ref: str
    amount: Money
    failed: bool
    at: datetime  # when it was promised, in every event about it
    failed_at: datetime


Fact = Paid | Unpaid | AsyncFailed | Expired | Declined | Refunded


def read(event: Mapping[str, Any]) -> Fact | None:
    """The fact in `event`, None for a type that means nothing to us.

    Raises MalformedEventError when a field is missing or of the wrong shape.
    """
    reader = READERS.get(str(event.get("type", "")))
    if reader is None:
        return None
    try:
        return reader(event["data"]["object"], datetime.fromtimestamp(int(event["created"]), UTC))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise MalformedEventError(f"{type(error).__name__}: {error}") from error


def read_session(session: Mapping[str, Any], at: datetime) -> Fact | None:
    """What a checkout session says, from an event or from asking for it."""
    session_id, reference = _text(session["id"]), _reference(session)
    if session.get("status") == "expired":
        return Expired(session_id, reference)
    if session.get("payment_status") == "paid":
        return Paid(
            session_id,
            reference,
            payment_ref=_id(session.get("payment_intent")) or session_id,
            amount=_money(session["amount_total"], session["currency"]),
            at=at,
        )
    return Unpaid(session_id, reference) if session.get("status") == "complete" else None


def _async_failed(session: Mapping[str, Any], at: datetime) -> Fact:
    return AsyncFailed(_text(session["id"]), _reference(session), at)


def _expired(session: Mapping[str, Any], at: datetime) -> Fact:
    return Expired(_text(session["id"]), _reference(session))


def _declined(intent: Mapping[str, Any], at: datetime) -> Fact:
    return Declined(_reference(intent), at)


def _refund(refund: Mapping[str, Any], at: datetime) -> Fact | None:
    """A refund counts from the moment it is promised; when it fails, the money is ours again."""
    payment_ref = _id(refund.get("payment_intent"))
    if not payment_ref:
        return None
    began = datetime.fromtimestamp(int(refund.get("created") or at.timestamp()), UTC)
    failed = refund.get("status") in {"failed", "canceled"}
    return Refunded(
        refund_id=_text(refund["id"]),
        payment_ref=payment_ref,
        amount=_money(refund["amount"], refund["currency"]),
        failed=failed,
        at=began,
        failed_at=at,
    )


READERS: dict[str, Callable[[Mapping[str, Any], datetime], Fact | None]] = {
    "checkout.session.completed": read_session,
    "checkout.session.async_payment_succeeded": read_session,
    "checkout.session.async_payment_failed": _async_failed,
    "checkout.session.expired": _expired,
    "payment_intent.payment_failed": _declined,
    "refund.created": _refund,
    "refund.updated": _refund,
    "refund.failed": _refund,
}


def _reference(thing: Mapping[str, Any]) -> str:
    """Our reference of the order: we write it into both places when we open a session."""
    metadata = thing.get("metadata") or {}
    return str(thing.get("client_reference_id") or metadata.get("order") or "")


def _id(value: object) -> str:
    """Stripe gives an id, or the whole object when asked to expand it, or nothing."""
    return str(value.get("id") or "") if isinstance(value, Mapping) else str(value or "")


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError("an id must be a text")
    return value


def _money(minor: object, currency: object) -> Money:
    if not isinstance(minor, int) or isinstance(minor, bool):
        raise TypeError("an amount must be a whole number")
    return Money(minor, str(currency).upper())
