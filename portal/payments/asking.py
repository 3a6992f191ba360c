"""Asking the provider how a visit to the hosted page went: the repair of a webhook that is late.

The network is spoken to outside transactions; what it says is booked by the same actions as an
event's, and followed in the transaction that books it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.cache import cache
from django.db import transaction

from portal.payments.actions.checkout import apply_session
from portal.payments.actions.provider_invoice import book_asked_invoice
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import OrderState
from portal.payments.models import Checkout, CheckoutState, Order, Subscription
from portal.payments.models.subscription import SubscriptionState
from portal.payments.providers import ProviderError, provider
from portal.payments.providers.asking import asked_about
from portal.payments.providers.requests import HostedCheckout

Follow = Callable[[Touched], None]
ASK_AGAIN = timedelta(seconds=2)
# A paid visit whose order is open: the money of a subscription is told by its invoice.
UNHEARD = [CheckoutState.OPEN, CheckoutState.PROCESSING, CheckoutState.PAID]


class Heard(StrEnum):
    """What came of a question: after a silence the rows may be behind the provider."""

    NOTHING = "nothing"  # there was nothing to ask
    ANSWER = "answer"  # it is booked: read the rows again
    SILENCE = "silence"  # asked a moment ago, or the provider did not answer


def ask_provider(*, checkout: Checkout, follow: Follow, at: datetime) -> None:
    """Ask how a session stands, book what it says, let `follow` follow. Raises ProviderError."""
    answer = provider().fetch_checkout(checkout.session_id)
    book_answer(checkout=checkout, answer=answer, follow=follow, at=at)


def look_again(*, order: Order, follow: Follow, at: datetime) -> Heard:
    """Ask about an order that is not paid: visitors come back with the question, and with a
    reload.
    """
    visit = None
    if order.state == OrderState.OPEN:
        visit = order.checkouts.filter(state__in=UNHEARD).first()
    if visit is None:
        return Heard.NOTHING
    if at - visit.asked_at < ASK_AGAIN:
        return Heard.SILENCE
    try:
        ask_provider(checkout=visit, follow=follow, at=at)
    except ProviderError:
        return Heard.SILENCE
    return Heard.ANSWER


def look_at_invoice(*, order: Order, follow: Follow, at: datetime) -> Heard:
    """Ask about the invoice of an order that is not paid: it may be paid on the provider's page."""
    source = provider()
    own = order.invoices.valid().filter(provider=source.name).exclude(provider_invoice_id="")
    invoice = own.first() if order.state == OrderState.OPEN else None
    if invoice is None:
        return Heard.NOTHING
    if not _may_ask(f"invoice-asked:{order.reference}"):
        return Heard.SILENCE
    try:
        said = source.fetch_invoice(invoice.provider_invoice_id).raw
    except ProviderError:
        return Heard.SILENCE
    with transaction.atomic():
        follow(book_asked_invoice(source.name, said, at))
    return Heard.ANSWER


def may_be_taken(subscription: Subscription) -> bool:
    """Whether a charge that we know as refused may have been taken since: the provider says so,
    or says nothing. Only asked: the event that tells it comes with the money.
    """
    if not subscription.is_troubled:
        return False
    if not _may_ask(f"charge-asked:{subscription.reference}"):
        return True
    try:
        said = provider().fetch_subscription(subscription.subscription_id)
    except ProviderError:
        return True
    return said.get("status") == SubscriptionState.ACTIVE


def _may_ask(what: str) -> bool:
    """Once in a while, however often a page is read."""
    return cache.add(what, 1, timeout=ASK_AGAIN.total_seconds())


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
