"""Where what the provider says reaches whoever keeps the key to an order, in one transaction."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from portal.donations.actions import settlement as donations
from portal.payments.actions.event import (
    crossed,
    handle_event,
    missed_events,
    note_failure,
    store_event,
)
from portal.payments.actions.touched import Touched
from portal.payments.asking import ask_provider
from portal.payments.models import Checkout, ProviderEvent
from portal.payments.providers import ProviderError, provider
from portal.sponsors.actions import settlement as sponsors

logger = logging.getLogger(__name__)

# Each follows what is its own and leaves the rest alone; each may run as often as you like.
FOLLOWERS: list[Callable[[Touched], None]] = [sponsors.follow, donations.follow]
OVERLAP = timedelta(days=3)  # so long providers try to deliver an event
REMEMBERED = timedelta(days=29)  # and so long they can be asked for it
WORKER_CALLED = "inbox.worker_called"  # in the cache, until the worker has come


def process_event(event_pk: int, *, at: datetime) -> bool:
    """Handle a stored event in one transaction; a failure is noted and tried again later."""
    try:
        with transaction.atomic():
            touched = handle_event(event_pk=event_pk, at=at)
            follow_all(touched)
    except Exception as error:  # whatever it is, the event stays and is tried again
        logger.exception("event %s failed", event_pk)
        note_failure(event_pk=event_pk, error=error, at=at)
        return False
    for other in crossed(event_pk=event_pk, touched=touched):
        process_event(other, at=at)
    return True


def follow_all(touched: Touched) -> None:
    """Let everybody follow; call it in the transaction that booked."""
    for follow in FOLLOWERS:
        follow(touched)


def process_due(*, at: datetime, limit: int = 1000) -> int:
    """Events that failed, came too early, or whose process died; how many were looked at."""
    due = list(ProviderEvent.objects.due(at).values_list("pk", flat=True)[:limit])
    for event_pk in due:
        process_event(event_pk, at=at)
    return len(due)


def repair_checkouts(*, silent_since: datetime, at: datetime, limit: int = 50) -> int:
    """Ask about sessions of which nothing was heard, whoever's they are; how many were asked.

    One that cannot be booked is logged, gets its next turn later and stops no other.
    """
    silent = Checkout.objects.silent_since(silent_since).filter(provider=provider().name)
    asked = list(silent.order_by("asked_at")[:limit])
    for checkout in asked:
        try:
            ask_provider(checkout=checkout, follow=follow_all, at=at)
        except ProviderError as error:
            logger.warning("the provider gave no answer about %s: %s", checkout.pk, error)
            Checkout.objects.filter(pk=checkout.pk).update(asked_at=at)
        except Exception:
            logger.exception("session %s could not be booked", checkout.session_id)
            Checkout.objects.filter(pk=checkout.pk).update(asked_at=at)
    return len(asked)


def fetch_missed_events(*, at: datetime) -> int:
    """Events that the provider tells of and never delivered: stored and handled; how many."""
    source = provider()
    newest = ProviderEvent.objects.filter(provider=source.name).newest_at()
    since = max((newest or at) - OVERLAP, at - REMEMBERED)
    missed = missed_events(provider=source.name, told=source.events_since(since))
    for body in reversed(missed):  # the newest was told first
        process_event(store_event(provider=source.name, event=body).pk, at=at)
    if missed:
        logger.warning("%s events had not been delivered", len(missed))
    return len(missed)
