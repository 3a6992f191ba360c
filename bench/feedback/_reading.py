"""What a report costs after it was taken in: processor time until it is facts, and room on disk.

The reports are the recorded one of a real server with other counters in each, so that they press
as well as those of a fleet do and no better.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psutil
from django.db import connection

from bench import Cost, Measurement
from feedback import inbox
from feedback.actions.dictionary import train_dictionary
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports

REPORTS = 2_000
PEPPER = b"pepper of the measurement"
FACTS_A_SECOND = 500
RAW_LIMIT, FACTS_LIMIT = 3_000, 250  # bytes
SHARED = Path(os.environ.get("SHARED_DATA", Path(__file__).parents[2] / "../shared/data"))
RECORDED = SHARED / "feedback/full.bin"
COUNTER = re.compile(rb"\t(\d{2,})$", re.MULTILINE)
UID = re.compile(rb"(?<=FEEDBACK_SERVER_UID\t)[^\n]*")


def rows() -> Iterator[Measurement]:
    at = dt.datetime.now(dt.UTC)
    _take_in(at, seed=1)
    _drain()
    train_dictionary(at=at)
    _take_in(at, seed=2)
    before = _size("feedback_report"), _size("feedback_serverweek")
    wall, cpu = _drain()
    raw, facts = _size("feedback_report") - before[0], _size("feedback_serverweek") - before[1]
    yield Measurement(
        work="reports into facts",
        size=f"{REPORTS} reports of 25 kB",
        ours=Cost(wall, cpu, 0),
        reach=f"at least {FACTS_A_SECOND} a second of processor time, PostgreSQL's counted",
        reached=cpu <= REPORTS / FACTS_A_SECOND,
        runs=1,
    )
    yield Measurement(
        work=f"room of a report: {raw // REPORTS} bytes raw and {facts // REPORTS} bytes of facts",
        size=f"{REPORTS} reports, indices counted",
        ours=Cost(0, 0, round((raw + facts) / 1e6, 1)),
        reach=f"at most {RAW_LIMIT} and {FACTS_LIMIT} bytes",
        reached=raw <= RAW_LIMIT * REPORTS and facts <= FACTS_LIMIT * REPORTS,
        runs=1,
    )


def _take_in(at: dt.datetime, *, seed: int) -> None:
    random = Random(seed)
    body = RECORDED.read_bytes().partition(b"\r\n\r\n")[2]

    def other(found: re.Match[bytes]) -> bytes:
        if random.random() < 0.5:
            return found[0]
        return b"\t%d" % (int(found[1]) * random.random())

    taken = []
    for number in range(REPORTS):
        told = COUNTER.sub(other, UID.sub(b"server-%d-%d" % (seed, number), body))
        taken.append(inbox.row(told, pepper=PEPPER, received_at=at))
    receive_reports(rows=taken)


def _drain() -> tuple[float, float]:
    """Seconds on the clock, and of this process and the database's process for it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = psutil.Process(cursor.fetchone()[0])

    def spent() -> float:
        return time.process_time() + sum(backend.cpu_times()[:2])

    wall, cpu = time.perf_counter(), spent()
    while drain_inbox():
        pass
    return time.perf_counter() - wall, spent() - cpu


def _size(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(%s)", [table]
        )
        return int(cursor.fetchone()[0])
