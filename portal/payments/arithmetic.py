"""What an order's ledger entries say about it; pure. The sequence of the entries never matters."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from portal.lib.money import Money


class OrderState(StrEnum):
    OPEN = "open"
    SHORT = "short"
    PAID = "paid"
    PARTLY_REFUNDED = "partly_refunded"
    REFUNDED = "refunded"


class EntryKind(StrEnum):
    PAYMENT = "payment"
    REFUND = "refund"
    REFUND_RETURNED = "refund_returned"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: refunds are negative."""

    kind: str
    amount: Money
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """State of an order, when it was first paid in full, when its money went back."""

    state: OrderState
    paid_at: datetime | None
    refunded_at: datetime | None


def standing(price: Money, entries: Iterable[Entry]) -> Standing:
    """Only entries in the currency of the price count towards it.

    Paid means that payments alone reach the price; refunds then decide whether it still is.
    """
    own = sorted(
        (entry for entry in entries if entry.amount.currency == price.currency),
        key=lambda entry: (entry.occurred_at, entry.amount.minor),
    )
    paid_at = _reached(price.minor, [e for e in own if e.kind == EntryKind.PAYMENT])
    paid = sum(entry.amount.minor for entry in own if entry.kind == EntryKind.PAYMENT)
    returned = -sum(entry.amount.minor for entry in own if entry.kind != EntryKind.PAYMENT)
    if paid_at is None:
        state = OrderState.SHORT if paid - returned > 0 else OrderState.OPEN
    elif returned <= 0:
        state = OrderState.PAID
    elif returned < paid:
        state = OrderState.PARTLY_REFUNDED
    else:
        last = max(entry.occurred_at for entry in own if entry.kind == EntryKind.REFUND)
        return Standing(OrderState.REFUNDED, paid_at, max(paid_at, last))
    return Standing(state, paid_at, None)


def _reached(price: int, payments: list[Entry]) -> datetime | None:
    total = 0
    for payment in payments:
        total += payment.amount.minor
        if total >= price:
            return payment.occurred_at
    return None
