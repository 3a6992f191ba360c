"""A month of so many servers, rolled up; and the pages that show it.

The facts are made in the database: a row for each server and week, as skewed as fleets are.
"""

from __future__ import annotations

import datetime as dt
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import psutil
from django.conf import settings
from django.db import connection
from django.test import Client

from bench import Cost, Measurement
from feedback.actions.partition import ensure_partitions
from feedback.actions.rollup import roll_up
from feedback.models import Period
from portal.lib import kept

MONTHS = (dt.date(2026, 9, 1), dt.date(2026, 10, 1))
WEEKS = 5  # in each of them
ROLLED_UP_IN = 30.0  # seconds
ANSWERED_IN = 0.015
LOOKS = 40
PAGES = (
    "/statistics/",
    "/statistics/charts/architectures/?series=10.11&system=Debian&compare=2026-09",
    "/statistics/charts/series/?with=memory:8",
    "/statistics/features.json",
    "/rest/v1/charts/version-breakdown/",
)
DRAWN_BEFORE = "drawn before"
WAYS: dict[str, Callable[[], None]] = {
    DRAWN_BEFORE: lambda: None,
    "drawn for the first time after a count": kept.SHELF.clear,
}

# What a server is follows from its number.
_ROWS = """
    INSERT INTO feedback_serverweek (server_key, week, first_at, last_at, described_at, started,
        stopped, flavour, series, version, architecture, system, distribution, character_set,
        country, cpu_bucket, memory_bucket, uptime_bucket, features, engines, plugins,
        replication, galera_nodes, tls, connections, doubts)
    SELECT decode(md5(n::text), 'hex'), %(week)s, at, at, at, n %% 23 = 0, false, 1,
        series, series || '.' || (n %% 7 + 1),
        CASE WHEN n %% 6 = 0 THEN 'aarch64' ELSE 'x86_64' END,
        system, system || ' ' || (n %% 3 + 10), 1,
        (ARRAY['DE', 'FI', 'US', ''])[n %% 4 + 1],
        1 << (n %% 7), 1 << (n %% 9), (ARRAY[0, 1, 7, 30, 90, 365])[n %% 6 + 1],
        (hashint8(n) & 33554431), 1 + (hashint8(n + 1) & 262142), hashint8(n + 2) & 127,
        n %% 4, CASE WHEN n %% 14 = 0 THEN 3 ELSE 0 END, CASE WHEN n %% 3 = 0 THEN 0 ELSE 4 END,
        n, 0
    FROM (
        SELECT n, %(week)s + interval '1 day' * (n %% 2) AS at,
            (ARRAY['10.6', '10.11', '10.11', '11.4', '11.4', '11.8', '12.1', '10.5'])
                [(n::bigint * 7919 %% 64 / 8)::int + 1] AS series,
            (ARRAY['Debian', 'Debian', 'Ubuntu', 'Ubuntu', 'RHEL and kin', 'Windows', 'Alpine',
                   'SUSE'])[(n::bigint * 104729 %% 64 / 8)::int + 1] AS system
        FROM generate_series(1, %(servers)s) AS n
    ) AS made
    ON CONFLICT DO NOTHING
"""


def rows(servers: int) -> Iterator[Measurement]:
    weeks = [month + dt.timedelta(weeks=week) for month in MONTHS for week in range(WEEKS)]
    _fill(servers, weeks)
    period = Period.objects.get(start=MONTHS[1])
    at = dt.datetime.now(dt.UTC)
    roll_up(period=Period.objects.get(start=MONTHS[0]), at=at)
    wall, cpu = _spent(lambda: roll_up(period=period, at=at))
    yield Measurement(
        work="a month rolled up",
        size=f"{servers:,} servers in {WEEKS} weeks each",
        ours=Cost(wall, cpu, 0),
        reach=f"under {ROLLED_UP_IN:g} s",
        reached=wall < ROLLED_UP_IN,
        runs=1,
    )
    yield from _pages(len(weeks) * servers)


def _fill(servers: int, weeks: list[dt.date]) -> None:
    ensure_partitions(weeks)
    with connection.cursor() as cursor:
        for week in weeks:
            cursor.execute(_ROWS, {"week": week, "servers": servers})
        cursor.execute("ANALYZE feedback_serverweek")
    for month in MONTHS:
        Period.objects.update_or_create(
            unit=Period.Unit.MONTH, start=month, defaults={"changes": 1}
        )


def _pages(reports: int) -> Iterator[Measurement]:
    client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
    for path in PAGES:
        if client.get(path).status_code != 200:
            raise RuntimeError(f"{path} is not there")
        for how, prepare in WAYS.items():
            cost = _looks(client, path, prepare)
            is_asked = how == DRAWN_BEFORE
            yield Measurement(
                work=f"GET {path}, {how}",
                size=f"{reports:,} reports",
                ours=cost,
                reach=f"p50 below {ANSWERED_IN * 1000:g} ms" if is_asked else "shown beside",
                reached=cost.wall_s < ANSWERED_IN,
                runs=LOOKS,
            )


def _looks(client: Client, path: str, prepare: Callable[[], None]) -> Cost:
    walls, cpus = [], []
    for _ in range(LOOKS):
        prepare()
        wall, cpu = _spent(partial(client.get, path))
        walls.append(wall)
        cpus.append(cpu)
    return Cost(statistics.median(walls), statistics.fmean(cpus), 0)


def _spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of this process and the database's process for it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = psutil.Process(cursor.fetchone()[0])

    def spent() -> float:
        return time.process_time() + sum(backend.cpu_times()[:2])

    wall, cpu = time.perf_counter(), spent()
    work()
    return time.perf_counter() - wall, spent() - cpu
