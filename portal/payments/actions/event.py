"""The webhook inbox: stored first, handled once, tried again until it succeeds."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from portal.payments import events
from portal.payments.actions.payment import PaymentUnknownError, apply_fact
from portal.payments.models import Order, ProviderEvent

FIRST_PAUSE = timedelta(seconds=30)  # doubles with every attempt
LONGEST_PAUSE = timedelta(hours=6)

Outcome = ProviderEvent.Outcome


def store_event(*, provider: str, event: dict[str, Any]) -> ProviderEvent:
    """Keep the event as it came; a redelivery gives the row of the first."""
    stored, _ = ProviderEvent.objects.get_or_create(
        provider=provider,
        event_id=str(event["id"])[:255],
        defaults={"kind": str(event["type"])[:100], "payload": event},
    )
    return stored


@transaction.atomic
def handle_event(*, event_pk: int, at: datetime) -> list[Order]:
    """Do what the event says, once; the orders that it touched.

    Events that waited for the payment which this one brought are handled with it.
    """
    event = ProviderEvent.objects.select_for_update().get(pk=event_pk)
    if event.handled_at is not None:
        return []
    fact = events.read(event.payload)
    try:
        order = apply_fact(provider=event.provider, fact=fact) if fact else None
    except PaymentUnknownError as error:
        _postpone(event, Outcome.WAITING, str(error), at)
        event.waits_for = error.payment_ref
        event.save()
        return []
    event.handled_at = at
    event.outcome = Outcome.BOOKED if order else Outcome.IGNORED
    event.last_error = ""
    event.save()
    orders = [order] if order else []
    if isinstance(fact, events.Paid):
        for waiting in _waiting(event.provider, fact.payment_ref):
            orders += handle_event(event_pk=waiting, at=at)
    return orders


def note_failure(*, event_pk: int, error: Exception, at: datetime) -> None:
    """After the roll-back: when to try again, and what went wrong."""
    with transaction.atomic():
        event = ProviderEvent.objects.select_for_update().get(pk=event_pk)
        if event.handled_at is None:
            _postpone(event, Outcome.FAILED, f"{type(error).__name__}: {error}", at)
            event.save()


@transaction.atomic
def reopen_event(*, event_pk: int, at: datetime) -> None:
    """Let a handled event be handled again: booking twice is harmless, so is replaying."""
    ProviderEvent.objects.filter(pk=event_pk).update(
        handled_at=None, outcome=Outcome.RECEIVED, next_attempt_at=at, attempts=0
    )


def _postpone(event: ProviderEvent, outcome: str, reason: str, at: datetime) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(event.attempts, 12), LONGEST_PAUSE)
    event.attempts += 1
    event.outcome = outcome
    event.next_attempt_at = at + pause
    event.last_error = reason[:300]


def _waiting(provider: str, payment_ref: str) -> list[int]:
    rows = ProviderEvent.objects.filter(provider=provider).waiting_for(payment_ref)
    return list(rows.order_by("pk").values_list("pk", flat=True))
