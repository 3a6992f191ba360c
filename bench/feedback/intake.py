"""How many full reports a second are stored durably: the receiver, and what stands beside it.

All run as processes of their own on the same PostgreSQL, with its flushes on, and take the same
25 kB bodies from the same sender. One peer is what one writes first: a view, one ORM row, one
commit for each report, under Granian, with a connection for each request as Django does by itself
and with one that stays open; another writes a row for each key and value. The last stores nothing:
more than it takes in nobody can store.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import psutil

from bench import Cost, Measurement, _installation
from bench.feedback._sender import requests, send
from portal import embedded

RUNS = 3
REPORTS = 1_500
SENDERS = 64
SHARE = 0.5
TIMES = 15.0  # of what one writes first; the other two views stand beside it
MORE = 1.0
VIEW = "bench.feedback._orm_view"
KEY_VALUE = "bench.feedback._key_value_view"
PARSE_ONLY = "bench.feedback._parse_only"


def measure() -> Iterator[Measurement]:
    with _installation.servers() as found:
        migrate = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(migrate, env=found.environ, check=True)
        environ = found.environ
        ours = _receiver("feedback.receiver", environ)
        view = _view(environ)
        yield _row(ours, "Django view, one ORM insert, a connection each", view, TIMES)
        view = _view(environ | {"DATABASE_POOL_SIZE": "10"})
        yield _row(ours, "Django view, one ORM insert, a connection that stays", view, MORE)
        view = _view(environ | {"DATABASE_POOL_SIZE": "10"}, KEY_VALUE)
        yield _row(ours, "Django view, a row for each key, a connection that stays", view, MORE)
        yield _row(ours, "our receiver storing nothing", _receiver(PARSE_ONLY, environ), SHARE)


def _row(ours: Cost, peer: str, theirs: Cost, times: float) -> Measurement:
    return Measurement(
        work="durable full reports",
        size=f"{REPORTS} reports of 25 kB, {SENDERS} at once",
        ours=ours,
        peer=peer,
        theirs=theirs,
        reach=f"at least {times:g} times as many",
        reached=theirs.wall_s / ours.wall_s >= times,
        runs=RUNS,
    )


def _receiver(module: str, environ: dict[str, str]) -> Cost:
    port = embedded.free_port()
    return _cost([module], environ | {"RECEIVER_PORT": str(port)}, port)


def _view(environ: dict[str, str], module: str = VIEW) -> Cost:
    port = embedded.free_port()
    return _cost(
        ["granian", "--interface", "wsgi", "--port", str(port), f"{module}:application"],
        environ,
        port,
    )


def _cost(words: Sequence[str], environ: dict[str, str], port: int) -> Cost:
    """Start a process, let it take all reports RUNS times, and say what it cost (medians)."""
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await_port(port)
        send(port, requests(REPORTS, run=0), SENDERS)  # warm
        runs = sorted(_timed(process.pid, port, run) for run in range(1, RUNS + 1))
        wall, cpu = runs[RUNS // 2]
        return Cost(wall, cpu, round(sum(p.memory_info().rss for p in _family(process.pid)) / 1e6))
    finally:
        process.terminate()
        process.wait(20)


def _timed(pid: int, port: int, run: int) -> tuple[float, float]:
    waiting = requests(REPORTS, run)
    wall, cpu = time.perf_counter(), _cpu(pid)
    send(port, waiting, SENDERS)
    return time.perf_counter() - wall, _cpu(pid) - cpu


def _family(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _cpu(pid: int) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in _family(pid))


def await_port(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")
