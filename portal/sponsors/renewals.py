"""The periodic part of renewals: letters before and after the end, and the end itself.

What is shown to whom follows from the dates alone; this only writes letters and notes. It may run
at any time, twice at once, and be stopped anywhere: each row is a transaction of its own.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import Q

from portal.members.models import Term
from portal.sponsors import notices
from portal.sponsors.actions.renewal import lapse, remind_of_end
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

logger = logging.getLogger(__name__)

FIRST = timedelta(days=max(notices.DAYS))


def renew_supporters(*, at: datetime) -> tuple[int, int]:
    """How many were reminded, how many lapsed."""
    return remind_all(at=at), lapse_all(at=at)


def remind_all(*, at: datetime) -> int:
    soon = Q(ends_at__lte=at + FIRST)
    charged = Q(order__subscription__current_period_end__lte=at + FIRST)
    reminded = 0
    for term in Term.objects.running_out(at).filter(soon | charged).order_by("ends_at"):
        try:
            reminded += remind_of_end(term=term, at=at)
        except Exception:
            logger.exception("nobody could be reminded of term %s", term.pk)
    return reminded


def lapse_all(*, at: datetime) -> int:
    over = Term.objects.lapsed(at).values("order")
    active = Application.objects.filter(state=ApplicationState.ACTIVE, order__in=over)
    lapsed = 0
    for application in active.order_by("pk"):
        try:
            lapsed += lapse(application=application, at=at)
        except Exception:
            logger.exception("the support of %s could not be ended", application.reference)
    return lapsed
