"""A subscription was charged again: the application that the new order stands for.

Every paid order of a supporter has an application of its own, so what is true of the first one
(letters, refunds, places, papers) is true of all.
"""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db.models import Q

from portal.lib import audit
from portal.members.models import Term
from portal.payments.models import Order
from portal.sponsors.actions.registration import register
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.payers import known_values


def application_of_period(order: Order) -> Application | None:
    """That of a later period; None for an unpaid order, or one that is no supporter's.

    The first application is locked: periods of one subscription are settled one by one.
    """
    first = _first(order) if order.was_paid else None
    if first is None:
        return None
    known = Application.objects.filter(order=order).select_related("tier__kind", "organisation")
    return known.select_related("order", "applicant").first() or _again(first, order)


def line_of(application: Application) -> UUID | None:
    """The line of terms that it belongs to; None when it begins one."""
    order = application.order
    if application.line is not None or order is None:
        return application.line
    if order.subscription_id is None:
        return Term.objects.filter(order=order).values_list("line", flat=True).first()
    same = Q(order=order) | Q(order__subscription=order.subscription_id)
    known = Term.objects.filter(same).order_by("pk").first()
    if known is not None:
        return known.line
    first = Application.objects.filter(order__subscription=order.subscription_id)
    begun = first.select_related("renews", "replaces").order_by("pk").first()
    return begun.line if begun is not None else None


def _first(order: Order) -> Application | None:
    """The application that the subscription began with."""
    if order.subscription_id is None:
        return None
    rows = Application.objects.select_for_update(of=("self",))
    found = rows.filter(order__subscription=order.subscription_id).order_by("pk")
    return found.select_related("tier", "renews", "replaces", "organisation", "applicant").first()


def _again(first: Application, order: Order) -> Application:
    """As the first one, with what is known of the organisation by now."""
    if first.organisation is None:  # the second payment was heard of before the first
        first.organisation = register(first)
        first.save()
    again = Application.objects.get(pk=first.pk)
    again.pk, again._state.adding, again.reference = None, True, uuid4()
    again.order, again.state = order, ApplicationState.PAYMENT
    again.renews, again.replaces = None, None
    again.coupon_code, again.reason, again.held_until = "", "", None
    again.created_at = again.submitted_at = order.created_at
    for name, value in known_values(first.organisation).items():
        setattr(again, name, value)
    again.save()
    audit.record(actor=None, verb="application.recur", subject=again)
    return again
