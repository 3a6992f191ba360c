"""What the runner adds to an operation, by processor time, against a bare loop."""

from __future__ import annotations

import time

from benchmarks.runner.work.python import dbapi, worker

FASTEST_NS = 1e9 / 118_676  # `DO 1` over a socket on one processor, from C: nobody is faster
CALLS = 20_000


class Cursor:
    """A driver that takes no time, so that only the loop remains."""

    def execute(self, sql: str) -> None:
        pass

    def fetchall(self) -> list[tuple[int]]:
        return []


def bare(cursor: Cursor) -> int:
    begun = time.process_time_ns()
    for _ in range(CALLS):
        cursor.execute("DO 1")
    return time.process_time_ns() - begun


def test_the_runner_adds_less_than_two_percent_to_the_fastest_do_1() -> None:
    cursor = Cursor()
    operation = dbapi.operation(cursor, "DO 1", [])
    ours = min(worker.timed(operation, CALLS)[1] for _ in range(15))
    theirs = min(bare(cursor) for _ in range(15))
    assert (ours - theirs) / CALLS < 0.02 * FASTEST_NS
