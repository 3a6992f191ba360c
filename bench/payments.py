"""A hundred webhooks a second for ten seconds: how soon each is answered, and all are handled.

One web process, one worker and the beat, as `make run` starts them, on a PostgreSQL that flushes.
The events are those of 200 sign-ups: charge, session (twice), a refund, and a type that means
nothing, some of them before the one that they follow. The time of an answer counts from the moment
in which it was to be sent. Then the queries of one event of each kind, handled in this process.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Iterator

import psutil

from bench import Cost, Measurement, _installation
from portal import embedded, processes

ORDERS, RATE = 200, 100
SECONDS = ORDERS * 5 // RATE
P50_REACH, P99_REACH, DONE_REACH, MOST_QUERIES = 0.05, 0.5, 10.0, 25
PATIENCE = 300.0
NAMES = (
    "a charge",
    "a type without meaning",
    "a session that is paid",
    "a session again",
    "a refund",
)


def measure() -> Iterator[Measurement]:
    ports = {name: str(embedded.free_port()) for name in ("WEB_PORT", "RECEIVER_PORT", "TWIN_PORT")}
    with _installation.django(**ports, LOG_LEVEL="ERROR") as found, _running(found.environ) as pids:
        yield from _flood(found.environ, pids)
        yield from _queries()


@contextlib.contextmanager
def _running(environ: dict[str, str]) -> Iterator[list[int]]:
    """Web, worker and beat; their numbers."""
    rows = [processes.PROCESSES[name] for name in ("web", "worker", "beat")]
    running = [
        subprocess.Popen(
            row.argv(environ),
            env=environ | dict(row.environ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for row in rows
    ]
    try:
        yield [process.pid for process in running]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(30)


def _flood(environ: dict[str, str], pids: list[int]) -> Iterator[Measurement]:
    from tests.webhooks import deliver, deliveries, percentile, place

    port, secret = int(environ["WEB_PORT"]), environ["STRIPE_WEBHOOK_SECRET"]
    deliver(port, _awaited(port, deliveries(place(10), "warm")), secret, rate=20)
    bodies = deliveries(place(ORDERS), "run")
    cpu = _cpu(pids)
    answers = deliver(port, bodies, secret, rate=RATE)
    last = time.perf_counter()
    refused = [answer.status for answer in answers if answer.status != 200]
    late = _until_handled() - last
    cost = _cpu(pids) - cpu
    size = f"{len(bodies)} in {SECONDS} s, load before {os.getloadavg()[0]:.1f}"
    memory = round(sum(psutil.Process(pid).memory_info().rss for pid in _family(pids)) / 1e6, 1)
    for name, part, reach in (("p50", 0.5, P50_REACH), ("p99", 0.99, P99_REACH)):
        seconds = percentile(answers, part)
        yield Measurement(
            work=f"answer a webhook, {name}",
            size=size,
            ours=Cost(round(seconds, 4), round(cost, 2), memory),
            reach=f"all answered 200, below {reach * 1000:.0f} ms",
            reached=not refused and seconds < reach,
            runs=len(bodies),
        )
    yield Measurement(
        work="handle all of them, after the last answer",
        size=size,
        ours=Cost(round(late, 3), round(cost, 2), memory),
        reach=f"within {DONE_REACH:.0f} s",
        reached=late < DONE_REACH,
        runs=1,
    )


def _awaited(port: int, bodies: list[str]) -> list[str]:
    """`bodies`, once somebody listens."""
    import socket

    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return bodies
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port}")


def _until_handled() -> float:
    """The moment in which nothing waited any more."""
    from portal.payments.models import ProviderEvent

    deadline = time.monotonic() + PATIENCE
    while ProviderEvent.objects.unhandled().exists():
        if time.monotonic() > deadline:
            left = ProviderEvent.objects.unhandled().values_list("kind", "outcome", "last_error")
            raise RuntimeError(f"{len(left)} were never handled, such as {left[0]}")
        time.sleep(0.05)
    return time.perf_counter()


def _family(pids: list[int]) -> list[int]:
    return [
        *pids,
        *(child.pid for pid in pids for child in psutil.Process(pid).children(recursive=True)),
    ]


def _cpu(pids: list[int]) -> float:
    times = [psutil.Process(pid).cpu_times() for pid in _family(pids)]
    return sum(found.user + found.system for found in times)


def _queries() -> Iterator[Measurement]:
    """One order's events in their sequence; the second time, when templates are loaded."""
    from tests.webhooks import place

    first, second = place(2)
    list(_handled(first, "warm-up"))
    for name, queries, seconds in _handled(second, "alone"):
        yield Measurement(
            work=f"handle {name}",
            size=f"{queries} queries, stored and handled",
            ours=Cost(round(seconds, 4), 0.0, 0.0),
            reach=f"at most {MOST_QUERIES} queries, {MOST_QUERIES * 2} for what begins a term",
            reached=queries <= MOST_QUERIES * (2 if name == NAMES[2] else 1),
            runs=1,
        )


def _handled(order: tuple[str, int], run: str) -> Iterator[tuple[str, int, float]]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from portal.inbox import process_event
    from portal.payments.actions.event import store_event
    from tests.webhooks import told

    for name, body in zip(NAMES, told(run, order), strict=True):
        start = time.perf_counter()
        with CaptureQueriesContext(connection) as asked:
            stored = store_event(provider="twin", event=json.loads(body))
            if stored.handled_at is None:
                process_event(stored.pk, at=timezone.now())
        yield name, len(asked), time.perf_counter() - start
