"""Provider callback -> payments -> members and sponsors.

The event is stored before anything else and answered 200 once it is. It is handled here at once,
unless others crowd in: then the worker is called, since the answer must not wait. What fails or is
cut off is tried again by the sweep, never lost (`portal/inbox.py`).
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal.celery import app
from portal.inbox import WORKER_CALLED, process_event
from portal.payments.actions.event import refuse_event, store_event
from portal.payments.providers import PaymentProvider, SignatureError, provider

logger = logging.getLogger(__name__)

LARGEST = 1_000_000  # bytes; an event of Stripe has some thousand
CROWD_LASTS = 1.0  # seconds after an event that found another in work
CALL_LASTS = 60  # seconds until the worker is called again, should it not have come
GATHERED = 0.1  # seconds in which one call stands for all events that are stored meanwhile


class Desk:
    """Where a process handles one event at a time, and none while they come in a crowd: a thread
    that books takes the processor from those that only have to store and answer.
    """

    def __init__(self) -> None:
        self._taken = threading.Lock()
        self._crowded_until = 0.0

    def is_taken(self) -> bool:
        """Whether the caller must leave its event to others; if not, it calls `free` in the end."""
        now = time.monotonic()
        if now >= self._crowded_until and self._taken.acquire(blocking=False):
            return False
        self._crowded_until = now + CROWD_LASTS
        return True

    def free(self) -> None:
        self._taken.release()


def _in_a_moment(call: Callable[[], None]) -> None:
    timer = threading.Timer(GATHERED, call)
    timer.daemon = True  # what dies with the process is made up for by the sweep
    timer.start()


class Bell:
    """Calls the worker, once for all events of a moment: a call costs more than storing one."""

    def __init__(self, later: Callable[[Callable[[], None]], None] = _in_a_moment) -> None:
        self._lock = threading.Lock()
        self._is_rung = False
        self._later = later

    def ring(self) -> None:
        with self._lock:
            if self._is_rung:
                return
            self._is_rung = True
        self._later(self._call)

    def _call(self) -> None:
        with self._lock:
            self._is_rung = False  # first: who comes later rings again
        _call_worker()


DESK = Desk()
BELL = Bell()


@csrf_exempt  # the provider signs its requests
@require_POST
def stripe(request: HttpRequest) -> HttpResponse:
    """The inbox of the payment provider."""
    body = request.read(LARGEST + 1)
    if len(body) > LARGEST:
        return _answer("too large", 413)
    source = provider()
    try:
        event = source.verified_event(body, request.headers.get("Stripe-Signature", ""))
    except SignatureError:
        logger.warning("a webhook without a valid signature was refused")
        return _answer("signature refused", 400)
    if event.get("livemode", source.livemode) != source.livemode:
        _refuse(source, event)
        return _answer("stored, not booked: of the other mode")
    stored = store_event(provider=source.name, event=event)
    if stored.handled_at is None:
        _handle(stored.pk)
    return _answer("stored")


def _answer(words: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{words}\n", status=status, content_type="text/plain; charset=utf-8")


def _refuse(source: PaymentProvider, event: Mapping[str, Any]) -> None:
    """Money of a test must never be booked as money, nor the other way round."""
    logger.error("an event of the other mode was refused: %s", event["id"])
    reason = f"livemode is {event['livemode']}, our key says {source.livemode}"
    refuse_event(provider=source.name, event=dict(event), reason=reason, at=timezone.now())


def _handle(event_pk: int) -> None:
    if DESK.is_taken():
        BELL.ring()
        return
    try:
        process_event(event_pk, at=timezone.now())
    finally:
        DESK.free()


def _call_worker() -> None:
    """One message for many events; where it is lost, the sweep comes."""
    try:
        if cache.add(WORKER_CALLED, "yes", CALL_LASTS):
            app.send_task("portal.tasks.handle_events", retry=False)
    except Exception:
        logger.exception("the worker could not be called")
