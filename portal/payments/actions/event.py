"""The webhook inbox: stored first, handled once, tried again until it succeeds."""

import logging
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, transaction

from portal.payments import events
from portal.payments.actions.alias import learn_names, names_of, payment_named
from portal.payments.actions.fact import apply_fact
from portal.payments.actions.payment import PaymentUnknownError
from portal.payments.actions.touched import Touched
from portal.payments.models import ProviderEvent

logger = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(seconds=30)  # doubles with every attempt
LONGEST_PAUSE = timedelta(hours=6)
PATIENCE = timedelta(days=30)  # then what waits was about a payment that never was ours

Outcome = ProviderEvent.Outcome
STATE = ["handled_at", "outcome", "attempts", "next_attempt_at", "last_error"]


def store_event(*, provider: str, event: dict[str, Any]) -> ProviderEvent:
    """Keep the event as it came; a redelivery gives the row of the first."""
    event_id, kind = str(event["id"])[:255], str(event["type"])[:100]
    row = ProviderEvent(provider=provider, event_id=event_id, kind=kind, payload=event)
    if kind not in events.READERS:  # it means nothing to us: kept, and done
        row.handled_at, row.outcome = row.received_at, Outcome.IGNORED
    try:
        with _alone():
            row.save(force_insert=True)
    except IntegrityError as error:
        if "provider_event_once" not in str(error):
            raise
        return ProviderEvent.objects.defer("payload").get(provider=provider, event_id=event_id)
    return row


def _alone() -> AbstractContextManager[object]:
    """What keeps a refused row from breaking a transaction around it. Where there is none, the one
    statement is a transaction of its own, and needs no two more questions to begin and end it.
    """
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


def refuse_event(*, provider: str, event: dict[str, Any], reason: str, at: datetime) -> None:
    """Keep an event that must not be booked, with why; it is not tried again."""
    stored = store_event(provider=provider, event=event)
    ProviderEvent.objects.filter(pk=stored.pk, handled_at=None).update(
        handled_at=at, outcome=Outcome.IGNORED, last_error=reason[:300]
    )


def missed_events(*, provider: str, told: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of what the provider tells that mean something to us and are not in the inbox."""
    ours = {str(event["id"]): event for event in told if event.get("type") in events.READERS}
    stored = ProviderEvent.objects.filter(provider=provider, event_id__in=ours)
    known = set(stored.values_list("event_id", flat=True))
    return [event for name, event in ours.items() if name not in known]


@transaction.atomic(savepoint=False)
def handle_event(*, event_pk: int, at: datetime) -> Touched:
    """Do what the event says, once; the orders and subscriptions that it touched.

    Events that waited for the payment which this one brought are handled with it. One that is
    locked is being handled by somebody else; should they die, it is still there.
    """
    rows = ProviderEvent.objects.unhandled().filter(pk=event_pk)
    event = rows.select_for_update(skip_locked=True).first()
    touched = Touched()
    if event is None:
        return touched
    fact = events.read(event.payload)
    try:
        touched = apply_fact(provider=event.provider, fact=fact) if fact else touched
    except PaymentUnknownError as error:
        return _wait(event, error, at)
    _close(event, Outcome.BOOKED if touched else Outcome.IGNORED, at)
    event.orders.add(*touched.orders)
    for waiting in _waiting_for(event.provider, touched.names):
        touched.add(_handle_waiting(waiting, at))
    return touched


def crossed(*, event_pk: int, touched: Touched) -> list[int]:
    """Events to handle now, since they and this one were handled in the same moment and did not
    see each other. Call it after the commit.
    """
    if not touched.names and not touched.waits_for:
        return []
    provider = ProviderEvent.objects.values_list("provider", flat=True).get(pk=event_pk)
    if touched.waits_for:
        return [event_pk] if payment_named(provider, touched.waits_for) else []
    return _waiting_for(provider, touched.names)


def _handle_waiting(event_pk: int, at: datetime) -> Touched:
    """One that cannot be booked must not keep back the payment that it waited for."""
    try:
        with transaction.atomic():
            return handle_event(event_pk=event_pk, at=at)
    except Exception as error:  # whatever it is, the event stays and is tried again
        logger.exception("event %s failed", event_pk)
        note_failure(event_pk=event_pk, error=error, at=at)
        return Touched()


def _wait(event: ProviderEvent, error: PaymentUnknownError, at: datetime) -> Touched:
    """It came before its payment: it waits, but not for ever for somebody else's."""
    if at - event.received_at > PATIENCE:
        _close(event, Outcome.IGNORED, at)
        return Touched()
    _postpone(event, Outcome.WAITING, str(error), at)
    event.waits_for = error.payment_ref
    event.save(update_fields=[*STATE, "waits_for"])
    learn_names(event.provider, error.names)
    return Touched(waits_for=error.names)


def _close(event: ProviderEvent, outcome: str, at: datetime) -> None:
    event.handled_at = at
    event.outcome = outcome
    event.last_error = ""
    event.save(update_fields=STATE)


def note_failure(*, event_pk: int, error: Exception, at: datetime) -> None:
    """After the roll-back: when to try again, and what went wrong."""
    with transaction.atomic():
        event = ProviderEvent.objects.select_for_update().get(pk=event_pk)
        if event.handled_at is None:
            _postpone(event, Outcome.FAILED, f"{type(error).__name__}: {error}", at)
            event.save(update_fields=STATE)


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


def _waiting_for(provider: str, names: tuple[str, ...]) -> list[int]:
    """Events that came before the payment with these names. Mostly nothing waits at all."""
    rows = ProviderEvent.objects.filter(provider=provider).waiting()
    if not names or not rows.exists():
        return []
    told = rows.filter(waits_for__in=names_of(provider, names))
    return list(told.order_by("pk").values_list("pk", flat=True))
