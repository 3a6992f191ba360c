"""From an application that may be paid to its order: price, coupon, VAT, invoice, subscription."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from portal.accounts.models import User
from portal.payments.actions.coupon import CouponError
from portal.payments.actions.invoice import issue_invoice
from portal.payments.actions.order import place_order, reopen_order
from portal.payments.actions.subscription import begin_subscription, forgo_subscription
from portal.payments.models import Order
from portal.sponsors import quote
from portal.sponsors.billing import billed
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState, PaysBy

GRACE = timedelta(days=14)  # after the day on which an invoice was due
YEAR = 12  # months


class NotPossibleError(Exception):
    """The application is in another state by now."""


def make_payable(
    actor: User | None, application: Application, at: datetime, hold: timedelta
) -> None:
    """Place the order, and keep the place for a time. Call it in a transaction."""
    try:
        order = _ordered(actor, application, at)
    except CouponError as error:
        raise NotPossibleError(str(error)) from error
    application.order = order
    application.state = ApplicationState.PAYMENT
    application.held_until = at + hold
    if application.pays_by == PaysBy.INVOICE:
        invoice = issue_invoice(actor=actor, order=order, at=at)
        application.held_until = invoice.due_at + GRACE
    application.save()
    _let_recur(actor, application, order)


def _ordered(actor: User | None, application: Application, at: datetime) -> Order:
    """The order of the application: a new one, or that of an earlier attempt."""
    if application.order is not None:
        reopen_order(actor=actor, order=application.order)
        return application.order
    tier = application.tier
    discount = quote.discount(application, at)
    payer = billed(application)
    return place_order(
        actor=actor,
        description=f"{tier.name} {tier.kind.name} {tier.year}",
        amount=quote.with_tax(application, discount),
        billing_name=payer.name,
        billing_email=payer.email or application.owner_email,
        billing_lines=payer.lines,
        billing_country=payer.country,
        billing_vat_number=payer.vat_number,
        discount=discount,
    )


def _let_recur(actor: User | None, application: Application, order: Order) -> None:
    """As it was chosen last: an earlier attempt may have been of the other sort."""
    if not application.is_recurring:
        forgo_subscription(actor=actor, order=order)
        return
    months = application.tier.months
    years = months % YEAR == 0
    begin_subscription(
        actor=actor,
        order=order,
        provider=settings.PAYMENT_PROVIDER,
        price=quote.with_tax(application, None).total,
        interval="year" if years else "month",
        interval_count=months // YEAR if years else months,
    )
