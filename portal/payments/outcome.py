"""How a payment stands, in one word that tells nothing private: for whoever comes back from the
payment page in another browser than the one that left.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from portal.payments.arithmetic import OrderState
from portal.payments.asking import Heard
from portal.payments.models import Checkout, CheckoutState, Order

TOLD_FOR = timedelta(days=30)  # after the last visit to the payment page


class Outcome(StrEnum):
    PAID = "paid"
    CONFIRMING = "confirming"  # it may be paid: nobody is told yet that it is not
    WAITING = "waiting"
    REFUSED = "refused"
    OPEN = "open"
    SILENT = "silent"  # long ago, given up, sent back: for those alone who may open it


BY_CHECKOUT = {
    CheckoutState.PROCESSING.value: Outcome.WAITING,
    CheckoutState.FAILED.value: Outcome.REFUSED,
}


def is_confirming(order: Order, heard: Heard) -> bool:
    """Whether the newest visit may have paid what the books do not know yet: the provider was
    silent, or told of the visit before it tells of the money.
    """
    visit = order.checkouts.first()
    if visit is None or order.state != OrderState.OPEN:
        return False
    is_unknown = visit.state == CheckoutState.OPEN and heard == Heard.SILENCE
    return is_unknown or visit.state == CheckoutState.PAID


def outcome_of(order: Order, at: datetime, heard: Heard) -> Outcome:
    """Of the newest visit to the payment page; nothing where there was none lately."""
    visit = order.checkouts.first()
    if visit is None or at - visit.created_at > TOLD_FOR:
        return Outcome.SILENT
    if order.state in {OrderState.PAID, OrderState.PARTLY_REFUNDED}:
        return Outcome.PAID
    if order.state != OrderState.OPEN or order.closed_at is not None:
        return Outcome.SILENT
    return Outcome.CONFIRMING if is_confirming(order, heard) else _unpaid(visit)


def _unpaid(visit: Checkout) -> Outcome:
    refused = Outcome.REFUSED if visit.declined_at else Outcome.OPEN
    return BY_CHECKOUT.get(visit.state, refused)
