"""Whether the installation is well: every process of the table is asked and named.

`/health/live` says that the web process answers. `/health/ready` asks all processes at
once, the database and Redis too, and answers 200 or 503. `/metrics` is in portal/metrics.py.
"""

from __future__ import annotations

import hmac
import os
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis

from feedback import partitions
from governance.models import Election
from portal import heartbeat, processes
from portal.accounts.access import second_factor_passed
from portal.accounts.models import User
from portal.draining import is_draining
from portal.lib import sockets
from releases.actions.reading import unreadable
from releases.actions.validity import ending
from releases.models import SigningKey

PATIENCE = 2.0  # seconds for one answer
FRESH = 1.0  # seconds for which strangers get the same answer


@dataclass(frozen=True)
class State:
    """The answer of one part."""

    name: str
    ready: bool
    detail: str


def ask_http(url: str) -> None:
    with urllib.request.urlopen(url, timeout=PATIENCE):  # noqa: S310  (addresses of our table)
        return


def ask_socket(address: str) -> None:
    answer, _ = sockets.ask(Path(address), {"verb": "ping"}, seconds=PATIENCE)
    if answer:
        raise ValueError(answer.get("busy") or answer.get("message"))


def ask_heartbeat(name: str) -> None:
    if not heartbeat.seen(name):
        raise TimeoutError(f"no sign of life within {heartbeat.LIFETIME} s")


def ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask_redis() -> None:
    with Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as client:
        client.ping()


QUESTIONS: dict[str, Callable[[str], None]] = {
    "http": ask_http,
    "socket": ask_socket,
    "heartbeat": ask_heartbeat,
}


def states() -> list[State]:
    """Ask the database, Redis and every process that this installation needs."""
    questions: dict[str, Callable[[], None]] = {"redis": ask_redis}
    for process in processes.needed(os.environ):
        kind, address = process.question(os.environ)
        questions[process.name] = partial(QUESTIONS[kind], address)
    del questions["web"]  # it is the one that answers here
    database = _answer("database", ask_database)  # in this thread, whose connection it is
    with ThreadPoolExecutor(len(questions)) as pool:
        asked = pool.map(lambda item: _answer(*item), questions.items())
        return [State("web", True, "answers"), database, *asked]


def warnings() -> list[str]:
    """What goes wrong, or will soon if nobody does anything: repositories that clients cannot use,
    indices and signing keys that end, elections whose count is unsound, usage reports for which no
    place is made.
    """
    now = timezone.now()
    indices = [
        f"the index of {one.repository.name} ends at {one.until:%Y-%m-%d %H:%M} UTC"
        " and was not renewed"
        for one in ending(at=now)
    ]
    repositories = [
        f"clients cannot use {one.repository.name}: {one.reason}" for one in unreadable()
    ]
    keys = [
        f"the signing key {key.name} ends on {key.expires_at:%Y-%m-%d}"
        for key in SigningKey.objects.expiring(now)
    ]
    elections = [
        f"the election {one.name} cannot be counted: {one.count_fault}"
        for one in Election.objects.exclude(count_fault="")
    ]
    places = [
        f"the partition {name} is missing: does feedback.tasks.tend_partitions run?"
        for name in partitions.missing(at=now)
    ]
    return [*repositories, *indices, *keys, *elections, *places]


class Recent:
    """The last answer of all parts: however many ask, the parts are asked once a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: list[State] = []
        self._until = 0.0

    def states(self) -> list[State]:
        with self._lock:
            if time.monotonic() >= self._until:
                self._states = states()
                self._until = time.monotonic() + FRESH
            return self._states


recent = Recent()


def _answer(name: str, ask: Callable[[], None]) -> State:
    try:
        ask()
    except Exception as error:  # whatever it is, the part is not ready
        return State(name, False, f"{type(error).__name__}: {error}"[:200])
    return State(name, True, "answers")


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The web process answers; nothing else is asked."""
    return HttpResponse("live\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Every process by name; 503 while one of them does not answer, or this one is to end.

    What went wrong is told to staff and to the bearer of METRICS_TOKEN, who are asked for anew.
    """
    trusted = is_trusted(request)
    answers = states() if trusted else recent.states()
    well = all(state.ready for state in answers) and not is_draining()
    parts = {
        state.name: {"ready": state.ready} | ({"detail": state.detail} if trusted else {})
        for state in answers
    }
    told = {"warnings": warnings()} if trusted else {}
    body = {"ready": well, "parts": parts} | told
    response = JsonResponse(body, status=200 if well else 503)
    # An answer, not a fault of ours: a prober that asks each second must not fill the log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def is_trusted(request: HttpRequest) -> bool:
    """The bearer of METRICS_TOKEN, or staff whose session passed the second factor."""
    if _bears_token(request):
        return True
    user = request.user
    if not (isinstance(user, User) and user.is_active and user.is_staff):
        return False
    return second_factor_passed(request, user)


def _bears_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    wanted: str = settings.METRICS_TOKEN
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())
