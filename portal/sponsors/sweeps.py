"""Periodic repair of what a lost message missed. Each may run at any time, and twice.

A row that cannot be repaired is logged and stops no other: each is a transaction of its own.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from portal.members.actions.logo import forget_logo
from portal.members.models import Logo
from portal.payments.arithmetic import OrderState
from portal.payments.models import Invoice, Order
from portal.payments.providers import ProviderError
from portal.sponsors import letters
from portal.sponsors.actions.application import release_place
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.hosted import close_hosted_pages
from portal.sponsors.invoicing import void_unpaid
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

logger = logging.getLogger(__name__)

DRAFTS_KEPT = timedelta(days=30)


def settle_lost_orders() -> int:
    """Orders whose money is booked while their application does not say so."""
    states = [OrderState.PAID.value, OrderState.PARTLY_REFUNDED.value]
    waiting = [ApplicationState.PAYMENT, ApplicationState.RELEASED]
    lost = Order.objects.filter(state__in=states, application__state__in=waiting)
    gone = [OrderState.REFUNDED.value, OrderState.DISPUTED.value]
    kept = Order.objects.filter(state__in=gone, application__state=ApplicationState.ACTIVE)
    settled = 0
    for order in [*lost, *kept]:
        try:
            settle_order(order=order)
            settled += 1
        except Exception:
            logger.exception("order %s could not be settled", order.reference)
    return settled


def release_overdue_places(*, at: datetime) -> int:
    """Free the places that were kept long enough, once their payment pages are closed."""
    released = 0
    for application in Application.objects.overdue(at).select_related("order"):
        try:
            if close_hosted_pages(application=application, at=at) and void_unpaid(
                application=application, at=at
            ):
                release_place(application=application, at=at)
                released += 1
        except ProviderError as error:
            logger.warning("the place of %s stays held: %s", application.reference, error)
        except Exception:
            logger.exception("the place of %s could not be released", application.reference)
    return released


def remind_overdue(*, at: datetime) -> int:
    """One letter for each invoice that was not paid in time; how many are overdue."""
    overdue = list(Application.objects.invoice_overdue(at))
    for application in overdue:
        with transaction.atomic():
            invoice = Invoice.objects.valid().get(order=application.order_id)
            letters.invoice_overdue(application, invoice)
    return len(overdue)


def forget_drafts(*, at: datetime) -> int:
    """Drafts that nobody came back to, with their logos; how many."""
    drafts = Application.objects.abandoned(at - DRAFTS_KEPT)
    logos = list(Logo.objects.filter(applications__in=drafts).distinct())
    forgotten = drafts.delete()[0]
    for logo in logos:
        forget_logo(logo=logo)
    return forgotten
