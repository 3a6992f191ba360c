"""Where a sign-up meets the payment provider: open the hosted page, ask how it went.

The network is spoken to outside transactions; what it says is booked by the same actions as an
event's, so a webhook that never comes is only late.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from portal.accounts.models import User
from portal.payments.actions.checkout import apply_session, record_checkout
from portal.payments.models import Checkout, CheckoutState, Order
from portal.payments.providers import CheckoutRequest, ProviderError, provider
from portal.sponsors.actions.application import NotPossibleError
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application

logger = logging.getLogger(__name__)

OVER = [CheckoutState.FAILED, CheckoutState.EXPIRED]


def hosted_page(*, actor: User | None, application: Application, at: datetime) -> str:
    """The address to pay at. An open session is used again, so that nobody pays twice.

    Raises ProviderError when the provider does not answer, NotPossibleError when there is
    nothing to pay (any more).
    """
    order = application.order
    if order is None or order.was_paid:
        raise NotPossibleError("nothing is to be paid")
    source = provider()
    for checkout in order.checkouts.filter(provider=source.name).unsettled():
        ask_provider(checkout=checkout, at=at)
        checkout.refresh_from_db()
        if checkout.state == CheckoutState.OPEN and checkout.url:
            return checkout.url
        if checkout.state not in OVER:
            raise NotPossibleError("the payment is under way")
    hosted = source.create_checkout(_request(application, order))
    record_checkout(
        actor=actor,
        order=order,
        provider=source.name,
        session_id=hosted.session_id,
        url=hosted.url,
    )
    return hosted.url


def _request(application: Application, order: Order) -> CheckoutRequest:
    status = settings.BASE_URL + reverse("sponsors:status", args=[application.reference])
    return CheckoutRequest(
        reference=str(order.reference),
        description=order.description,
        amount=order.amount,
        email=order.billing_email,
        success_url=status,
        cancel_url=status,
        attempt=order.checkouts.filter(state__in=OVER).count(),
    )


def ask_provider(*, checkout: Checkout, at: datetime) -> None:
    """Ask how a session stands, and book what it says."""
    _apply(checkout, provider().fetch_checkout(checkout.session_id).raw, at)


def close_hosted_pages(*, application: Application, at: datetime) -> bool:
    """End the open sessions of an application; True when nobody can pay there any more."""
    source = provider()
    for checkout in _unsettled(application):
        raw = source.expire_checkout(checkout.session_id).raw
        _apply(checkout, raw, at)
    return not _unsettled(application)


def repair_checkouts(*, silent_since: datetime, at: datetime, limit: int = 50) -> int:
    """Ask about sessions of which nothing was heard; how many were asked."""
    silent = Checkout.objects.silent_since(silent_since).filter(provider=provider().name)
    asked = 0
    for checkout in silent.order_by("asked_at")[:limit]:
        try:
            ask_provider(checkout=checkout, at=at)
        except ProviderError as error:
            logger.warning("the provider gave no answer about %s: %s", checkout.pk, error)
            Checkout.objects.filter(pk=checkout.pk).update(asked_at=at)
        asked += 1
    return asked


def _unsettled(application: Application) -> list[Checkout]:
    own = Checkout.objects.filter(order=application.order, provider=provider().name)
    return list(own.unsettled())


def _apply(checkout: Checkout, raw: Mapping[str, Any], at: datetime) -> None:
    with transaction.atomic():
        apply_session(checkout=checkout, session=raw, at=at)
        settle_order(order=Order.objects.get(pk=checkout.order_id))
