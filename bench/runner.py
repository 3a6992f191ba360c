"""What the runner adds to an operation, by processor time, against a bare loop."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import Cost, Measurement
from benchmarks.runner.work.python import dbapi, worker

RUNS = 15
CALLS = 20_000
SHARE = 0.02
FASTEST_NS = 1e9 / 118_676  # `DO 1` over a socket on one processor, from C: nobody is faster


class Cursor:
    """A driver that takes no time, so that only the loop remains."""

    def execute(self, sql: str) -> None:
        pass

    def fetchall(self) -> list[tuple[int]]:
        return []


def measure() -> Iterator[Measurement]:
    cursor = Cursor()
    operation = dbapi.operation(cursor, "DO 1", [])
    ours = min(worker.timed(operation, CALLS)[1] for _ in range(RUNS)) / 1e9
    theirs = min(_bare(cursor) for _ in range(RUNS)) / 1e9
    added = (ours - theirs) / CALLS * 1e9
    yield Measurement(
        work="the loop of the runner",
        size=f"{CALLS:,} operations of a driver that takes no time; {added:.0f} ns added to each",
        ours=Cost(ours, ours, 0),
        peer="a bare loop",
        theirs=Cost(theirs, theirs, 0),
        reach=f"adds less than {SHARE:.0%} of the fastest DO 1",
        reached=added < SHARE * FASTEST_NS,
        runs=RUNS,
    )


def _bare(cursor: Cursor) -> int:
    begun = time.process_time_ns()
    for _ in range(CALLS):
        cursor.execute("DO 1")
    return time.process_time_ns() - begun
