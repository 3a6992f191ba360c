"""Jobs that join apps or serve all of them."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from celery import shared_task
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from portal.books.actions.reconciliation import reconcile
from portal.books.actions.refund import send_waiting
from portal.donations import sweeps as donations
from portal.inbox import (
    WORKER_CALLED,
    fetch_missed_events,
    process_due,
    repair_checkouts,
)
from portal.lib import outbox
from portal.members.actions.cancellation import tell_of_ends
from portal.members.actions.contributor import correct_roles, remind_of_ends
from portal.members.actions.transfer import expire_transfers
from portal.members.ending import end_renewals
from portal.members.renewing import tell_of_stops
from portal.newsroom import sweep as newsroom
from portal.payments.providers import ProviderError
from portal.sponsors import invoicing, renewals, sweeps
from portal.sponsors.withdrawing import withdraw_cancelled

logger = logging.getLogger(__name__)

SILENCE = timedelta(minutes=2)  # after which the provider is asked about a session
# Events that failed or came too early, refunds and sessions without news, late places.
REPAIRS: list[Callable[[datetime], object]] = [
    lambda now: process_due(at=now),
    lambda now: send_waiting(asked_before=now - SILENCE, at=now),
    lambda now: repair_checkouts(silent_since=now - SILENCE, at=now),
    lambda now: sweeps.settle_lost_orders(),
    lambda now: invoicing.send_waiting_invoices(at=now),
    lambda now: invoicing.close_paid_elsewhere(),
    lambda now: sweeps.remind_overdue(at=now),
    lambda now: sweeps.release_overdue_places(at=now),
    lambda now: end_renewals(at=now),
    lambda now: tell_of_stops(at=now),
    lambda now: withdraw_cancelled(at=now),
    lambda now: donations.settle_lost(),
]


@shared_task
def send_outbox() -> None:
    outbox.send_due()


@shared_task
def clear_sessions() -> None:
    call_command("clearsessions")


@shared_task
def repair_payments() -> None:
    """All of `REPAIRS`; one that breaks down keeps none of the others from its work."""
    now = timezone.now()
    for repair in REPAIRS:
        try:
            repair(now)
        except Exception:
            logger.exception("a repair of payments broke down")


@shared_task
def handle_events() -> None:
    """What the inbox took while others were in work."""
    cache.delete(WORKER_CALLED)  # first: who comes later calls again
    while process_due(at=timezone.now(), limit=100) == 100:
        pass


@shared_task
def fetch_events() -> None:
    """Events that the provider could not deliver, or gave up on."""
    try:
        fetch_missed_events(at=timezone.now())
    except ProviderError as error:
        logger.warning("the provider did not tell its events: %s", error)


@shared_task
def forget_abandoned_drafts() -> None:
    now = timezone.now()
    sweeps.forget_drafts(at=now)
    donations.forget_unpaid(at=now)


@shared_task
def renew_supporters() -> None:
    """Letters before and after the end of terms, and the end of those that nobody renewed."""
    renewals.renew_supporters(at=timezone.now())


@shared_task
def keep_contributors() -> None:
    """The roles that standings promise, and a letter before one ends."""
    now = timezone.now()
    correct_roles(at=now)
    remind_of_ends(at=now)


@shared_task
def reconcile_payments() -> None:
    """The provider's lists beside the ledger; treasurers hear of it when they differ."""
    reconcile(at=timezone.now())


@shared_task
def tend_organisations() -> None:
    """Offers that nobody answered, supports that were cancelled and are over."""
    now = timezone.now()
    expire_transfers(at=now)
    tell_of_ends(at=now)


@shared_task
def draft_news() -> None:
    """Drafts of what happened, doubts about those that wait, letters to the editors."""
    newsroom.run(at=timezone.now())
