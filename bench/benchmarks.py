"""How fast benchmarks are stored and compared, beside scipy's own bootstrap."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count

from bench import Measurement, _installation, timed

RUNS = 5
COMPARISON_S = 0.020
UPLOAD_S, UPLOAD_QUERIES = 2.0, 80


def measure() -> Iterator[Measurement]:
    yield _comparison()
    with _installation.django():
        yield from _uploads()


def _comparison() -> Measurement:
    """Ratio, interval, test and effect of 2 x 30 processes."""
    import numpy as np
    from scipy import stats

    from benchmarks.statistics import Side, contrast, judge

    generator = np.random.default_rng(1)
    a, b = np.exp(generator.normal(0, 0.1, size=(2, 30, 10)))
    ours, theirs = a.tolist(), b.tolist()
    numbers = count()

    def work() -> None:
        side = Side(ours, f"a{next(numbers)}")  # another name each time: nothing is remembered
        found = contrast(side, Side(theirs, "b"), direction="lower")
        judge([found] if found else [])

    def peer() -> None:
        sides = np.median(a, axis=1), np.median(b, axis=1)
        stats.bootstrap(
            sides,
            lambda x, y, axis: np.median(x, axis) / np.median(y, axis),
            n_resamples=2000,
            method="percentile",
            rng=next(numbers),
        )
        stats.mannwhitneyu(*sides)

    work()  # imports and caches are paid for here
    peer()
    cost = timed(work, runs=RUNS)
    return Measurement(
        work="comparison",
        size="2 x 30 processes",
        ours=cost,
        peer="scipy.stats.bootstrap and mannwhitneyu",
        theirs=timed(peer, runs=RUNS),
        reach=f"below {COMPARISON_S * 1000:.0f} ms",
        reached=cost.wall_s < COMPARISON_S,
        runs=RUNS,
    )


def _uploads() -> Iterator[Measurement]:
    """An upload through reader, checks and database, and its statistics; with its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from benchmarks.actions.statistics import compute_statistics
    from benchmarks.actions.upload import Said, upload_run
    from benchmarks.models import Run

    files = iter([_file(number) for number in range(2 * RUNS + 1)])

    def store() -> None:
        upload_run(actor=None, raw=next(files), said=Said(), at=timezone.now())

    def store_and_compute() -> None:
        store()
        run = Run.objects.latest("pk")
        compute_statistics(run_id=run.pk, at=timezone.now())

    with CaptureQueriesContext(connection) as captured:
        store_and_compute()
    yield _upload("upload stored", store, 0)
    yield _upload("upload stored and computed", store_and_compute, len(captured))


def _upload(work: str, run: Callable[[], object], queries: int) -> Measurement:
    cost = timed(run, runs=RUNS)
    asked = f", {queries} queries" if queries else ""
    return Measurement(
        work=work,
        size=f"2,000 results, 200,000 samples{asked}",
        ours=cost,
        reach=f"below {UPLOAD_S:.0f} s, at most {UPLOAD_QUERIES} queries",
        reached=cost.wall_s < UPLOAD_S and queries <= UPLOAD_QUERIES,
        runs=RUNS,
    )


def _file(number: int) -> bytes:
    """2,000 results with 10 processes of 10 samples each."""
    result = {
        "case": "select_1",
        "metric": "throughput",
        "unit": "op/s",
        "samples": [[1000.0 + (i * 7 + j * 3) % 50 for j in range(10)] for i in range(10)],
    }
    return json.dumps(
        {
            "schema": "bench-upload/1",
            "run": {
                "id": f"6d1b3c1e-0000-4000-8000-{number:012}",
                "started_at": "2026-11-21T00:22:20Z",
                "tool": {"name": "bench", "suite": "connectors@1"},
            },
            "environment": {},
            "results": [{**result, "subject": {"name": f"Connector {n}"}} for n in range(2000)],
        }
    ).encode()
