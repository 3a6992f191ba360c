"""Periodic repair of what a lost message missed; may run at any time, and twice."""

import logging
from datetime import datetime, timedelta

from portal.donations.actions.donation import forget_donation
from portal.donations.actions.settlement import settle_donation
from portal.donations.models import Donation

logger = logging.getLogger(__name__)

UNPAID_KEPT = timedelta(days=30)


def settle_lost(limit: int = 200) -> int:
    """Donations whose money or refusal is booked while they do not say so; how many."""
    settled = 0
    for pk in Donation.objects.unsettled().values_list("pk", flat=True)[:limit]:
        try:
            settle_donation(donation_pk=pk)
            settled += 1
        except Exception:  # one that cannot be repaired stops no other
            logger.exception("donation %s could not be settled", pk)
    return settled


def forget_unpaid(*, at: datetime) -> int:
    """Donations that were never paid, and who they were of; how many."""
    before, forgotten = at - UNPAID_KEPT, 0
    for donation in Donation.objects.never_paid(before).select_related("subscription"):
        try:
            forgotten += forget_donation(donation=donation, before=before)
        except Exception:  # one that cannot be deleted stops no other
            logger.exception("donation %s could not be forgotten", donation.pk)
    return forgotten
