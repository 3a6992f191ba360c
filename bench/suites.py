"""How fast the page of a suite with a million results is. The results are made in the database."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import psutil
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from bench import Cost, Measurement, _installation

RESULTS = 1_000_000
OF_A_RUN = 2_000
LOOKS = 40
ANSWERED_IN = 0.030
MOST_QUERIES = 6
PAGES = (
    "",
    "?trust=all",
    "?trust=all&sort=-date&page=7",
    "?trust=all&transport=unix&prepare=server&version=1.3.1",
    "?trust=all&placement=same&since=2026-10-01",
    "?case=all",
    "?case=all&trust=all",
)
_STATIC = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

_RUNS = """
    INSERT INTO benchmarks_run (uid, suite_id, state, trust, title, notes, source, source_url,
        format, tool, tags, "order", environment, machine, remarks, uploaded_at, computed_at,
        uploader_id, attempts, claim_hash, contact, reason, signed_as, measured_hash)
    SELECT gen_random_uuid(), %(suite)s, 'published', 2, '', '', '', '', 'native', '{}', '[]',
        'interleaved', jsonb_build_object('cpu', jsonb_build_object('model', 'CPU ' || n %% 40)),
        md5((n %% 40)::text), '[]', timestamptz '2026-11-01' - interval '1 hour' * n, now(),
        %(user)s, 0, '', '', '', '', ''
    FROM generate_series(1, %(runs)s) AS n
"""
# Thirty drivers in eight versions each, one in fifty made by our runner.
_RESULTS = """
    INSERT INTO benchmarks_result (run_id, position, case_id, case_slug, subject_slug, connector,
        subject, version, implementation, package, runtime, params, metric, unit, direction,
        summary,
        evidence, flags, error, trust)
    SELECT run.id, n, one.id, one.slug, 'driver_' || hash %% 30, 'driver_' || hash %% 30,
        'Driver ' || hash %% 30,
        '1.' || hash %% 30 %% 4 || '.' || hash / 30 %% 8, '', '', '',
        jsonb_build_object('transport', (ARRAY['tcp', 'unix', 'pipe'])[hash / 7 %% 3 + 1],
            'prepare', (ARRAY['none', 'server'])[hash / 11 %% 2 + 1], 'threads', 1,
            'cpu_placement', (ARRAY['same', 'different', 'unknown'])[hash / 13 %% 3 + 1]),
        'throughput', 'op/s', 'higher', '{}', '{}', '[]', '',
        CASE WHEN hash %% 50 = 0 THEN 4 ELSE 2 END
    FROM benchmarks_run run, generate_series(1, %(of_a_run)s) AS n,
        LATERAL (SELECT abs(hashint8(run.id * 10000 + n) %% 1000000)) AS made (hash),
        LATERAL (SELECT id, slug FROM benchmarks_case WHERE suite_id = run.suite_id
            ORDER BY position OFFSET made.hash %% %(cases)s LIMIT 1) AS one
    WHERE run.id BETWEEN %(first)s AND %(last)s
"""
_STATISTICS = """
    INSERT INTO benchmarks_statistics (result_id, processes, samples, median, mad, low, high,
        between, within, flags)
    SELECT id, 10, 100, median, median / 50, median * 0.98, median * 1.02, 0.02, 0.03, '[]'
    FROM (SELECT id, 5000 + abs(hashint8(id) %% 90000) AS median FROM benchmarks_result
          WHERE run_id BETWEEN %(first)s AND %(last)s) AS made
"""


def measure() -> Iterator[Measurement]:
    with (
        _installation.django(),
        override_settings(STORAGES={**settings.STORAGES, "staticfiles": _STATIC}),
    ):
        fill(RESULTS)
        yield from pages(RESULTS)


def fill(results: int) -> None:
    """So many results of one suite, with their statistics; the ledger follows by itself."""
    from benchmarks.actions.suite import define_suite
    from benchmarks.suites import ready_suites
    from portal.accounts.models import User

    suite = define_suite(actor=None, definition=ready_suites()["connectors"])
    user = User.objects.first() or User.objects.create_user(email="bench@example.org")
    given = {"suite": suite.pk, "user": user.pk, "runs": results // OF_A_RUN, "of_a_run": OF_A_RUN}
    given["cases"] = suite.cases.count()
    with connection.cursor() as cursor:
        cursor.execute(_RUNS, given)
        cursor.execute(
            "SELECT min(id), max(id) FROM benchmarks_run WHERE suite_id = %(suite)s", given
        )
        first, last = cursor.fetchone()
        for start in range(first, last + 1, 50):
            part = {**given, "first": start, "last": min(start + 49, last)}
            cursor.execute(_RESULTS, part)
            cursor.execute(_STATISTICS, part)
        for table in ("run", "result", "statistics", "ledgerline"):
            cursor.execute(f"VACUUM ANALYZE benchmarks_{table}")


def pages(results: int) -> Iterator[Measurement]:
    client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
    for query in PAGES:
        path = f"/benchmarks/connectors/{query}"
        with CaptureQueriesContext(connection) as captured:
            if client.get(path, secure=True).status_code != 200:
                raise RuntimeError(f"{path} is not there")
            queries = len(captured)
        cost = _looks(lambda path=path: client.get(path, secure=True))  # type: ignore[misc]
        yield Measurement(
            work=f"GET {path}",
            size=f"{results:,} results, {queries} queries",
            ours=cost,
            reach=f"p50 below {ANSWERED_IN * 1000:g} ms of processor time, {MOST_QUERIES} queries",
            reached=cost.cpu_s < ANSWERED_IN and queries <= MOST_QUERIES,
            runs=LOOKS,
        )


def _looks(work: Callable[[], object]) -> Cost:
    """Medians of the clock, and of the time of this process and of the database's for it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = psutil.Process(cursor.fetchone()[0])

    def spent() -> float:
        return time.process_time() + sum(backend.cpu_times()[:2])

    work()
    walls, cpus = [], []
    for _ in range(LOOKS):
        wall, cpu = time.perf_counter(), spent()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(spent() - cpu)
    return Cost(statistics.median(walls), statistics.fmean(cpus), 0)
