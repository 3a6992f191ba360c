"""How a payment stands, in one word that tells nothing private: for whoever comes back from the
payment page in another browser than the one that left.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from portal.payments.arithmetic import OrderState
from portal.payments.models import Checkout, CheckoutState, Order

TOLD_FOR = timedelta(days=30)  # after the last visit to the payment page


class Outcome(StrEnum):
    PAID = "paid"
    WAITING = "waiting"
    REFUSED = "refused"
    OPEN = "open"
    SILENT = "silent"  # long ago, given up, sent back: for those alone who may open it


BY_CHECKOUT = {
    CheckoutState.PAID.value: Outcome.WAITING,  # the money itself is told by another event
    CheckoutState.PROCESSING.value: Outcome.WAITING,
    CheckoutState.FAILED.value: Outcome.REFUSED,
}


def outcome_of(order: Order, at: datetime) -> Outcome:
    """Of the newest visit to the payment page; nothing where there was none lately."""
    visit = order.checkouts.first()
    if visit is None or at - visit.created_at > TOLD_FOR:
        return Outcome.SILENT
    if order.state in {OrderState.PAID, OrderState.PARTLY_REFUNDED}:
        return Outcome.PAID
    if order.state != OrderState.OPEN or order.closed_at is not None:
        return Outcome.SILENT
    return _unpaid(visit)


def _unpaid(visit: Checkout) -> Outcome:
    refused = Outcome.REFUSED if visit.declined_at else Outcome.OPEN
    return BY_CHECKOUT.get(visit.state, refused)
