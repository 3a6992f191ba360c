"""Where a donation meets the payment provider: the hosted page, cards, the end of payments.

The network is spoken to outside transactions; what it says is booked by the actions that book
its events, so a webhook that never comes is only late.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import User
from portal.donations.actions.donation import note_amount
from portal.donations.actions.settlement import follow
from portal.donations.models import Donation
from portal.lib.money import Money
from portal.payments import asking
from portal.payments.actions.checkout import record_checkout
from portal.payments.actions.subscription import apply_subscription
from portal.payments.actions.touched import Touched
from portal.payments.asking import Heard
from portal.payments.models import Checkout, CheckoutState, Order
from portal.payments.providers import CheckoutRequest, Recurring, provider

OVER = [CheckoutState.FAILED, CheckoutState.EXPIRED]


class NotPossibleError(Exception):
    """There is nothing to pay, to change or to end."""


def hosted_page(*, actor: User | None, donation: Donation, at: datetime) -> str:
    """The address to pay at; an open session is used again, so that nobody pays twice.

    Raises ProviderError when the provider does not answer, NotPossibleError when it is paid.
    """
    source = provider()
    if donation.order.was_paid or donation.order.closed_at is not None:
        raise NotPossibleError("nothing is to be paid")
    for checkout in donation.order.checkouts.filter(provider=source.name).unsettled():
        ask_provider(checkout=checkout, at=at)
        checkout.refresh_from_db()
        if checkout.state == CheckoutState.OPEN and checkout.url:
            return checkout.url
        if checkout.state not in OVER:
            raise NotPossibleError("the payment is under way")
    hosted = source.create_checkout(request_for(donation))
    record_checkout(
        actor=actor,
        order=donation.order,
        provider=source.name,
        session_id=hosted.session_id,
        url=hosted.url,
    )
    return hosted.url


def request_for(donation: Donation) -> CheckoutRequest:
    order, subscription = donation.order, donation.subscription
    back = settings.BASE_URL + reverse("donations:returned", args=[donation.reference])
    return CheckoutRequest(
        reference=str(order.reference),
        description=order.description,
        amount=order.amount,
        email=donation.email,
        success_url=back,
        cancel_url=back,
        attempt=order.checkouts.filter(state__in=OVER).count(),
        recurring=Recurring(
            subscription=str(subscription.reference),
            price=subscription.price,
            interval=subscription.interval,
        )
        if subscription
        else None,
    )


def ask_provider(*, checkout: Checkout, at: datetime) -> None:
    """Ask how a session stands, book what it says, and follow it."""
    asking.ask_provider(checkout=checkout, follow=follow, at=at)


def look_again(order: Order) -> Heard:
    """The repair of a webhook that is late."""
    return asking.look_again(order=order, follow=follow, at=timezone.now())


def card_page(donation: Donation) -> str:
    """Where the donor changes the card. Raises ProviderError, NotPossibleError."""
    subscription = donation.subscription
    if subscription is None or subscription.is_over or subscription.customer is None:
        raise NotPossibleError("nothing is taken from a card")
    if not subscription.customer.customer_id:
        raise NotPossibleError("the provider does not know the donor yet")
    page = settings.BASE_URL + donation.get_absolute_url()
    return provider().customer_portal(subscription.customer.customer_id, page)


def change_amount(*, actor: User | None, donation: Donation, amount: Money, at: datetime) -> None:
    """Another amount from the next payment on. Raises ProviderError, NotPossibleError."""
    subscription = donation.subscription
    if subscription is None or not donation.is_running or not subscription.subscription_id:
        raise NotPossibleError("nothing is taken again")
    before = subscription.price
    raw = provider().change_price(subscription.subscription_id, amount)
    with transaction.atomic():
        kept = apply_subscription(actor=actor, subscription=subscription, raw=raw, at=at)
        note_amount(actor=actor, donation=donation, before=before, after=kept.price)
        follow(Touched(subscriptions=[kept]))


def cancel(*, actor: User | None, donation: Donation, at: datetime) -> None:
    """End a recurring donation now. Raises ProviderError, NotPossibleError."""
    subscription = donation.subscription
    if subscription is None or subscription.is_over or not subscription.subscription_id:
        raise NotPossibleError("there is nothing to end")
    raw = provider().cancel_subscription(subscription.subscription_id, at_period_end=False)
    with transaction.atomic():
        kept = apply_subscription(actor=actor, subscription=subscription, raw=raw, at=at)
        follow(Touched(subscriptions=[kept]))
