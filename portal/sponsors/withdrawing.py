"""Where a withdrawal meets the payment provider: nobody may pay for a place that is gone."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db.models import F

from portal.accounts.models import User
from portal.payments.providers import ProviderError
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.withdrawal import SENT, UNDER_WAY, drop_draft, withdraw_application
from portal.sponsors.hosted import close_hosted_pages
from portal.sponsors.invoicing import void_unpaid
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

logger = logging.getLogger(__name__)


def withdraw(*, actor: User | None, application: Application, reason: str, at: datetime) -> bool:
    """Whether it can be taken up again: a draft is gone. Raises ProviderError, NotPossibleError."""
    if application.state == ApplicationState.DRAFT:
        drop_draft(actor=actor, application=application)
        return False
    if application.order is not None and not (
        close_hosted_pages(application=application, at=at)
        and void_unpaid(application=application, at=at, reason="withdrawn")
    ):
        raise NotPossibleError(UNDER_WAY)
    withdraw_application(actor=actor, application=application, reason=reason, at=at)
    return True


def withdraw_cancelled(*, at: datetime) -> int:
    """Renewals that were ordered before the organisation ended its support; how many."""
    cancelled = Application.objects.filter(
        state__in=SENT,
        renews__cancellations__undone_at__isnull=True,
        renews__cancellations__cancelled_at__gt=F("submitted_at"),
    )
    withdrawn = 0
    for application in cancelled.select_related("order"):
        try:
            withdraw(actor=None, application=application, reason="support cancelled", at=at)
            withdrawn += 1
        except (ProviderError, NotPossibleError) as error:
            logger.warning("the renewal %s stays open: %s", application.reference, error)
    return withdrawn
