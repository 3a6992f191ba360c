"""An applicant changes their mind before anything was paid."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib import audit
from portal.members.actions.logo import forget_logo
from portal.payments.actions.order import close_order
from portal.payments.models import CheckoutState, Order
from portal.sponsors import letters
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

SENT = [ApplicationState.REVIEW, ApplicationState.PAYMENT]
UNDER_WAY = _("A payment is under way. Wait for its end, or ask for it back.")
UNSETTLED = [CheckoutState.OPEN, CheckoutState.PROCESSING]


@transaction.atomic
def withdraw_application(
    *, actor: User | None, application: Application, reason: str, at: datetime
) -> None:
    """Give up a place that was asked for; it may be taken again, with all that was written.

    Call it once the provider says that nobody can pay any more. Raises NotPossibleError when it was
    paid, or is being paid, meanwhile.
    """
    Order.objects.select_for_update(of=("self",)).filter(application=application).first()
    locked = _locked(application)
    if locked.state not in SENT:
        raise NotPossibleError(_("It was answered, paid or given up meanwhile."))
    order = locked.order
    if order is not None:
        if order.was_paid or _is_being_paid(order):
            raise NotPossibleError(
                _("A payment is under way. Wait for its end, or ask for it back.")
            )
        close_order(actor=actor, order=order, at=at)
    locked.state = ApplicationState.RELEASED
    locked.save()
    letters.withdrawn(locked, at=at)
    audit.record(actor=actor, verb="application.withdraw", subject=locked, reason=reason)


@transaction.atomic
def drop_draft(*, actor: User | None, application: Application) -> None:
    """Delete what was never sent, with its logo. Raises NotPossibleError."""
    draft = _locked(application)
    if draft.state != ApplicationState.DRAFT:
        raise NotPossibleError(_("It was sent meanwhile."))
    logo = draft.logo
    audit.record(actor=actor, verb="application.drop", subject=draft)
    draft.delete()
    if logo is not None:
        forget_logo(logo=logo)


def _is_being_paid(order: Order) -> bool:
    pages = order.checkouts.filter(provider=settings.PAYMENT_PROVIDER)
    return pages.filter(state__in=UNSETTLED).exists()


def _locked(application: Application) -> Application:
    rows = Application.objects.select_for_update(of=("self",))
    found = rows.select_related("order", "logo", "organisation", "tier").filter(pk=application.pk)
    locked = found.first()
    if locked is None:
        raise NotPossibleError(_("It is gone already."))
    return locked
