"""Asking the provider how a visit to the hosted page went: the repair of a webhook that is late.

The network is spoken to outside transactions; what it says is booked by the same actions as an
event's, and followed in the transaction that books it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from portal.payments.actions.checkout import apply_session
from portal.payments.actions.touched import Touched
from portal.payments.models import Checkout, Order
from portal.payments.providers import ProviderError, provider
from portal.payments.providers.asking import asked_about
from portal.payments.providers.requests import HostedCheckout

Follow = Callable[[Touched], None]
ASK_AGAIN = timedelta(seconds=2)


def ask_provider(*, checkout: Checkout, follow: Follow, at: datetime) -> None:
    """Ask how a session stands, book what it says, let `follow` follow. Raises ProviderError."""
    answer = provider().fetch_checkout(checkout.session_id)
    book_answer(checkout=checkout, answer=answer, follow=follow, at=at)


def look_again(*, order: Order, follow: Follow, at: datetime) -> bool:
    """Ask about an order that is not paid: visitors come back with the question, and with a
    reload. True where the answer may have changed something.
    """
    unsettled = None if order.was_paid else order.checkouts.all().unsettled().first()
    if unsettled is None or at - unsettled.asked_at < ASK_AGAIN:
        return False
    try:
        ask_provider(checkout=unsettled, follow=follow, at=at)
    except ProviderError:
        return False
    return True


def close_session(*, checkout: Checkout, follow: Follow, at: datetime) -> None:
    """End an open session; one that was used meanwhile is booked. Raises ProviderError."""
    answer = provider().expire_checkout(checkout.session_id)
    book_answer(checkout=checkout, answer=answer, follow=follow, at=at)


def book_answer(
    *, checkout: Checkout, answer: HostedCheckout, follow: Follow, at: datetime
) -> None:
    asked = asked_about(provider(), answer.raw)
    with transaction.atomic():
        follow(apply_session(checkout=checkout, asked=asked, at=at))
