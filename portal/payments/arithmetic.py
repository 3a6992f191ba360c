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
    DISPUTED = "disputed"


class EntryKind(StrEnum):
    PAYMENT = "payment"
    REFUND = "refund"
    REFUND_RETURNED = "refund_returned"
    DISPUTE = "dispute"
    DISPUTE_RETURNED = "dispute_returned"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: what goes out is negative. `ref` is where the money was seen."""

    kind: str
    amount: Money
    occurred_at: datetime
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """State of an order, when it was first paid in full, when all its money was gone."""

    state: OrderState
    paid_at: datetime | None
    refunded_at: datetime | None


def standing(price: Money, entries: Iterable[Entry]) -> Standing:
    """Only entries in the currency of the price count towards it.

    Paid means that payments alone reach the price; what went back then decides whether it still
    is. Gone altogether, the order is refunded when refunds alone did that, else disputed. A
    payment that was corrected counts as if it had never been booked.
    """
    own = sorted(
        (entry for entry in _true(list(entries)) if entry.amount.currency == price.currency),
        key=lambda entry: (entry.occurred_at, entry.amount.minor),
    )
    paid_at = _reached(price.minor, [e for e in own if e.kind == EntryKind.PAYMENT])
    paid = _sum(own, EntryKind.PAYMENT)
    refunded = -_sum(own, EntryKind.REFUND, EntryKind.REFUND_RETURNED)
    taken = -_sum(own, EntryKind.DISPUTE, EntryKind.DISPUTE_RETURNED)
    if paid_at is None:
        short = paid - refunded - taken > 0
        return Standing(OrderState.SHORT if short else OrderState.OPEN, None, None)
    if refunded + taken <= 0:
        return Standing(OrderState.PAID, paid_at, None)
    if refunded + taken < paid:
        return Standing(OrderState.PARTLY_REFUNDED, paid_at, None)
    state = OrderState.REFUNDED if refunded >= paid else OrderState.DISPUTED
    gone = max(entry.occurred_at for entry in own if entry.amount.minor < 0)
    return Standing(state, paid_at, max(paid_at, gone))


def _true(entries: list[Entry]) -> list[Entry]:
    """Without payments that were booked by mistake, and without what takes them back."""
    wrong = {entry.ref for entry in entries if entry.kind == EntryKind.CORRECTION}
    return [
        entry
        for entry in entries
        if entry.kind != EntryKind.CORRECTION
        and not (entry.kind == EntryKind.PAYMENT and entry.ref in wrong)
    ]


def _sum(entries: list[Entry], *kinds: EntryKind) -> int:
    return sum(entry.amount.minor for entry in entries if entry.kind in kinds)


def _reached(price: int, payments: list[Entry]) -> datetime | None:
    total = 0
    for payment in payments:
        total += payment.amount.minor
        if total >= price:
            return payment.occurred_at
    return None
