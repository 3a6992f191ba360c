"""How fast benchmarks are stored and compared: `python -m bench.benchmarks`.

Writes bench/results/benchmarks.json. A database is made for it and taken away again; PostgreSQL is
the one of DATABASE_URL, or an embedded one.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RUNS = 5
RESULTS = Path(__file__).parent / "results"


def timed(work: Callable[[int], object], runs: int = RUNS) -> dict[str, float]:
    """Medians of wall and processor time; ``work`` is told the number of its run."""
    wall, cpu = [], []
    for number in range(runs):
        start, busy = time.perf_counter(), time.process_time()
        work(number)
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - busy)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "wall_s": round(statistics.median(wall), 5),
        "cpu_s": round(statistics.median(cpu), 5),
        "rss_mb": round(rss, 1),
    }


def line(work: str, size: str, ours: dict[str, float], reach: str, limit: float) -> dict[str, Any]:
    return {
        "work": work,
        "size": size,
        "ours": ours,
        "peer": None,
        "theirs": None,
        "ratio_wall": None,
        "ratio_cpu": None,
        "reach": reach,
        "reached": ours["wall_s"] < limit,
        "runs": RUNS,
    }


def comparison() -> dict[str, Any]:
    """Ratio, interval, test and effect of 2 x 30 processes, beside scipy's own bootstrap."""
    import numpy as np
    from scipy import stats

    from benchmarks.statistics import Side, contrast, judge

    generator = np.random.default_rng(1)
    a, b = np.exp(generator.normal(0, 0.1, size=(2, 30, 10)))
    ours, theirs = a.tolist(), b.tolist()

    def work(number: int) -> None:
        found = contrast(Side(ours, f"a{number}"), Side(theirs, "b"), direction="lower")
        judge([found] if found else [])

    def peer(number: int) -> None:
        sides = np.median(a, axis=1), np.median(b, axis=1)
        stats.bootstrap(
            sides,
            lambda x, y, axis: np.median(x, axis) / np.median(y, axis),
            n_resamples=2000,
            method="percentile",
            rng=number,
        )
        stats.mannwhitneyu(*sides)

    work(0)  # imports and caches are paid for here
    peer(0)
    found = line("comparison", "2 x 30 processes", timed(work), "below 20 ms", 0.020)
    other = timed(peer)
    found |= {"peer": "scipy.stats.bootstrap and mannwhitneyu", "theirs": other}
    found["ratio_wall"] = round(found["ours"]["wall_s"] / other["wall_s"], 3)
    found["ratio_cpu"] = round(found["ours"]["cpu_s"] / other["cpu_s"], 3)
    return found


def large_upload(number: int) -> bytes:
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


def upload() -> list[dict[str, Any]]:
    """An upload through reader, checks and database, and its statistics; with its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from benchmarks.actions.statistics import compute_statistics
    from benchmarks.actions.upload import Said, upload_run
    from benchmarks.models import Run

    files = [large_upload(number) for number in range(2 * RUNS)]

    def store(number: int) -> None:
        upload_run(actor=None, raw=files[number], said=Said(), at=timezone.now())

    def both(number: int) -> None:
        store(RUNS + number)
        run = Run.objects.latest("pk")
        compute_statistics(run_id=run.pk, at=timezone.now())

    size = "2,000 results, 200,000 samples"
    found = [
        line("upload stored", size, timed(store), "below 2 s", 2.0),
        line("upload stored and computed", size, timed(both), "below 2 s", 2.0),
    ]
    Run.objects.all().delete()
    with CaptureQueriesContext(connection) as captured:
        both(0)
    found[1]["queries"] = len(captured)
    found[1]["reach"] = "below 2 s, at most 80 queries"
    found[1]["reached"] = found[1]["reached"] and len(captured) <= 80
    return found


def measure() -> list[dict[str, Any]]:
    """Every line; makes a database of its own on the server that is configured."""
    import django
    from django.test.utils import setup_databases, teardown_databases

    django.setup()
    old = setup_databases(verbosity=0, interactive=False)
    try:
        return [comparison(), *upload()]
    finally:
        teardown_databases(old, verbosity=0)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("SECRET_KEY", "only-for-measuring-" + "x" * 40)
    from portal import embedded

    with tempfile.TemporaryDirectory() as folder, embedded.provided(Path(folder), durable=True):
        found = measure()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "benchmarks.json").write_text(json.dumps(found, indent=1) + "\n")
    for one in found:
        print(f"{one['work']}, {one['size']}: {one['ours']}; {one['reach']}: {one['reached']}")


if __name__ == "__main__":
    main()
