"""Which measurements a run makes, and in which order. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

from benchmarks.runner.cases import CANNOT, CONNECT, WORKS, Work, cases_of
from benchmarks.runner.drivers import Driver, all_drivers

DEFAULT_TRANSPORTS: Final = ("tcp", "unix")
DEFAULT_PREPARES: Final = ("none", "server")
LOADS: Final = "parallel_load"
WORKERS: Final = (1, 2, 4)  # of a parallel load
NO_BATCHES: Final = {
    "c": "batches of the C library are not measured by this runner",
    "go": "database/sql has no batches",
}
JAVA_WARMUP: Final = 3  # a virtual machine compiles while it warms up


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a process measures; all in seconds but the counts."""

    processes: int = 10
    warmup: float = 0.3
    samples: int = 5
    seconds: float = 0.2


@dataclass(frozen=True)
class Measurement:
    """One result to be: a driver, a case and its parameters."""

    driver: Driver
    suite: str
    case: str
    transport: str
    prepare: str
    placement: str
    thread: str = ""
    threads: int = 1
    timing: Timing = field(default_factory=Timing)

    @property
    def work(self) -> Work:
        return WORKS[self.suite, self.case]

    @property
    def cannot(self) -> str:
        """Why this is known not to work before anything is started."""
        return CANNOT.get((self.suite, self.case), "") or self._driver_cannot

    @property
    def _driver_cannot(self) -> str:
        if self.transport == "pipe":
            return "named pipes are there on Windows only"
        if self.work.sql == CONNECT and self.prepare != "none":
            return "nothing is prepared where only a connection is made"
        if self.case == "insert_batch" and self.driver.language in NO_BATCHES:
            return NO_BATCHES[self.driver.language]
        if self.driver.is_embedded and self.prepare == "client":
            return "the C library does not write parameters into a statement"
        return ""

    def params(self) -> dict[str, str | int | bool]:
        """The closed vocabulary of the portal's format."""
        found: dict[str, str | int | bool] = {
            "transport": self.transport,
            "prepare": self.prepare,
            "threads": self.threads,
            "tls": False,
            "cpu_placement": self.placement,
            "server_host": "same",
        }
        if self.driver.language == "c" and not self.driver.is_embedded:
            found["link"] = self.driver.module
        if self.suite == LOADS:
            found["batch"] = "rewrite"  # many rows in the text of one statement
        if self.thread:
            found["thread"] = self.thread
        return found


def measurements(selection: Mapping[str, Any], timing: Timing) -> Iterator[Measurement]:
    """Everything that a selection names; what it leaves out has its default.

    Raises `KeyError` for a driver or a suite that is not known.
    """
    suite = str(selection["suite"])
    drivers = [all_drivers()[slug] for slug in selection.get("drivers") or all_drivers()]
    cases = selection.get("cases") or cases_of(suite)
    own = replace(timing, **selection.get("timing", {}))
    ways = product(
        selection.get("transport") or DEFAULT_TRANSPORTS,
        selection.get("prepare") or DEFAULT_PREPARES,
        selection.get("placement") or ("different",),
    )
    threads = selection.get("threads") or (WORKERS if suite == LOADS else (1,))
    for case, driver, way, workers in product(cases, drivers, list(ways), threads):
        transport, prepare, placement = way
        if not driver.is_embedded:
            yield Measurement(driver, suite, case, transport, prepare, placement, "", workers, own)
    for case, driver in product(cases, drivers):
        if driver.is_embedded:
            yield from _embedded(driver, suite, case, selection, own)


def _embedded(
    driver: Driver, suite: str, case: str, selection: Mapping[str, Any], timing: Timing
) -> Iterator[Measurement]:
    """No transport, one processor, and both threads: the main one is slower."""
    prepares = selection.get("prepare") or DEFAULT_PREPARES
    for prepare, thread in product(prepares, ("main", "worker")):
        yield Measurement(driver, suite, case, "embedded", prepare, "same", thread, timing=timing)


def order(wanted: Sequence[Measurement], seed: int) -> list[tuple[int, int]]:
    """(place of the measurement, number of the process): in rounds, each shuffled by the seed.

    A slow hour of the machine then falls on everybody alike.
    """
    shuffled = random.Random(seed)  # noqa: S311 - order, not secrecy; the seed is published
    found: list[tuple[int, int]] = []
    for process in range(max((one.timing.processes for one in wanted), default=0)):
        round_ = [at for at, one in enumerate(wanted) if process < one.timing.processes]
        shuffled.shuffle(round_)
        found += [(at, process) for at in round_]
    return found
