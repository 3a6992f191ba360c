"""A whole run: every measurement in its order, progress told, gathered for the document."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from benchmarks.client.portal_benchmark import environment
from benchmarks.runner import noise
from benchmarks.runner.cache import CannotError
from benchmarks.runner.document import Gathered, document
from benchmarks.runner.languages import LANGUAGES
from benchmarks.runner.measuring import take
from benchmarks.runner.plan import Measurement, order
from benchmarks.runner.server import Server


@dataclass(frozen=True)
class Places:
    """Processors of the server, and of clients by placement; None where nobody is pinned."""

    server: frozenset[int] | None
    clients: Mapping[str, frozenset[int] | None]


def places(*, own_server: bool) -> Places:
    """The first processor for the server; the last for clients that run on another one."""
    if not own_server or not hasattr(os, "sched_getaffinity"):
        return Places(None, {})
    cpus = sorted(os.sched_getaffinity(0))
    first, last = frozenset(cpus[:1]), frozenset(cpus[-1:])
    return Places(first, {"same": first, "different": last if last != first else None})


def run(
    wanted: Sequence[Measurement], server: Server, places_: Places, *, seed: int, minutes: float = 0
) -> tuple[list[Gathered], noise.Noise]:
    """Measure in rounds. A driver that cannot is not asked again; its reason is kept.

    With ``minutes`` no round is begun that would not end in time: fewer processes, of all alike.
    """
    gathered = [Gathered(one, error=_known(one)) for one in wanted]
    heard = noise.Noise()
    steps, begun = order(wanted, seed), time.monotonic()
    rounds = 0
    for done, (at, process) in enumerate(steps, start=1):
        if process > rounds:
            rounds, spent = process, time.monotonic() - begun
            if minutes and spent * (rounds + 1) / rounds > 60 * minutes:
                break
        one = gathered[at]
        if not one.error:
            _measure(one, server, places_.clients.get(one.measurement.placement), heard)
        progress(done, len(steps), begun, one)
    return gathered, heard


def _known(one: Measurement) -> str:
    return one.cannot or LANGUAGES[one.driver.language].missing(one.driver)


def _measure(
    one: Gathered, server: Server, cpus: Collection[int] | None, heard: noise.Noise
) -> None:
    try:
        one.taken.append(take(one.measurement, server, cpus, heard))
    except CannotError as problem:
        one.error = str(problem)


def progress(done: int, all_: int, begun: float, one: Gathered) -> None:
    """A bar on a terminal; a line for each tenth where it is written to a file."""
    spent = time.monotonic() - begun
    left = spent / done * (all_ - done)
    bar = "#" * (30 * done // all_)
    text = f"[{bar:30}] {done}/{all_}, {left:.0f} s left, {one.measurement.driver.label}"
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text[:110]:110}" + ("\n" if done == all_ else ""))
    elif done == all_ or done % max(1, all_ // 10) == 0:
        sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def measured(
    suite: str,
    wanted: Sequence[Measurement],
    server: Server,
    places_: Places,
    *,
    seed: int,
    title: str,
    command: str,
    minutes: float = 0,
) -> dict[str, Any]:
    """Run one suite and write it down in the portal's format."""
    started = datetime.now(UTC)
    gathered, heard = run(wanted, server, places_, seed=seed, minutes=minutes)
    facts = {**environment(), "server": server.facts(), "noise": heard.facts()}
    return document(
        gathered,
        suite=suite,
        seed=seed,
        started=started,
        finished=datetime.now(UTC),
        environment=facts,
        title=title,
        command=command,
    )
