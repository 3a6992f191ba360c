"""Sessions of the hosted page: what we know of them, and what is told about them."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.payments.actions.payment import book, locked_order
from portal.payments.actions.provider_invoice import book_asked_invoice
from portal.payments.actions.subscription import (
    apply_subscription,
    link_subscription,
    locked_subscription_of,
)
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.events import reading
from portal.payments.events.facts import (
    AsyncFailed,
    Begun,
    Declined,
    Expired,
    Paid,
    SessionFact,
    Unpaid,
)
from portal.payments.events.sessions import read_session
from portal.payments.models import Checkout, CheckoutState, Order
from portal.payments.providers.asking import Asked

BEFORE_PAID = [
    CheckoutState.OPEN,
    CheckoutState.PROCESSING,
    CheckoutState.FAILED,
    CheckoutState.EXPIRED,
]
# A session never goes back: what came first gives way to what ends it.
STATE_AFTER: dict[type[SessionFact], tuple[CheckoutState, list[CheckoutState]]] = {
    Paid: (CheckoutState.PAID, BEFORE_PAID),
    Begun: (CheckoutState.PAID, BEFORE_PAID),
    Unpaid: (CheckoutState.PROCESSING, [CheckoutState.OPEN]),
    AsyncFailed: (CheckoutState.FAILED, [CheckoutState.OPEN, CheckoutState.PROCESSING]),
    Expired: (CheckoutState.EXPIRED, [CheckoutState.OPEN]),
}


@transaction.atomic
def record_checkout(
    *, actor: User | None, order: Order, provider: str, session_id: str, url: str
) -> Checkout:
    """Keep the session that the provider opened for `order`; its event may have come before."""
    checkout, created = Checkout.objects.get_or_create(
        provider=provider, session_id=session_id, defaults={"order": order}
    )
    if checkout.url != url and checkout.state == CheckoutState.OPEN:
        Checkout.objects.filter(pk=checkout.pk).update(url=url)
        checkout.url = url
    if created:
        audit.record(actor=actor, verb="checkout.open", subject=order, session=session_id)
    return checkout


@transaction.atomic
def apply_session(*, checkout: Checkout, asked: Asked, at: datetime) -> Touched:
    """Book what a fetched session says: the repair of a webhook that never came."""
    Checkout.objects.filter(pk=checkout.pk).update(asked_at=timezone.now())
    fact = reading(lambda: read_session(asked.session, at))
    touched = Touched()
    if isinstance(fact, SessionFact):
        touched.add(book_session(checkout.provider, fact))
    for subscription in touched.subscriptions:
        apply_subscription(actor=None, subscription=subscription, raw=asked.subscription, at=at)
    if asked.invoice:
        touched.add(book_asked_invoice(checkout.provider, asked.invoice, at))
    return touched


def book_session(provider: str, fact: SessionFact) -> Touched:
    """A visit to the hosted page came further; money of a one-off payment is booked."""
    subscription = locked_subscription_of(fact.reference) if fact.subscription_id else None
    order = locked_order(fact.reference)
    if order is None:
        return Touched()
    _move(provider, order, fact)
    touched = Touched(orders=[order])
    if subscription is not None:
        link_subscription(
            subscription=subscription,
            subscription_id=fact.subscription_id,
            customer_id=fact.customer_id,
        )
        touched.subscriptions.append(subscription)
    if isinstance(fact, Paid):
        book(order, EntryKind.PAYMENT, fact.amount, provider, fact.payment_ref, fact.at)
        touched.names = (fact.payment_ref,)
    return touched


def note_declined(provider: str, fact: Declined) -> Touched:
    """A card was refused; the page stays open for another one."""
    order = locked_order(fact.reference or _only_order_of(provider, fact))
    if order is None:
        return Touched()
    earlier = order.checkouts.filter(Q(declined_at=None) | Q(declined_at__lt=fact.at))
    earlier.update(declined_at=fact.at)
    return Touched(orders=[order])


def _only_order_of(provider: str, fact: Declined) -> str:
    """The one open payment page of this payer and price, for a hint on it; none where two are."""
    pages = Checkout.objects.filter(provider=provider, state=CheckoutState.OPEN)
    orders = Order.objects.payable().filter(
        checkouts__in=pages,
        subscription__isnull=False,
        billing_email__iexact=fact.email,
        amount_minor=fact.minor,
        currency=fact.currency,
    )
    found = list(orders.distinct()[:2]) if fact.email else []
    return str(found[0].reference) if len(found) == 1 else ""


def _move(provider: str, order: Order, fact: SessionFact) -> None:
    state, before = STATE_AFTER[type(fact)]
    known = Checkout.objects.filter(provider=provider, session_id=fact.session_id, order=order)
    if not known.filter(state__in=before).update(state=state):
        new = Checkout(provider=provider, session_id=fact.session_id, order=order, state=state)
        Checkout.objects.bulk_create([new], ignore_conflicts=True)
