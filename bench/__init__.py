"""Measurements against peers: `make bench`, or `make bench ONLY=site` for one domain.

A domain is a module here (`bench/site.py`) or a package of modules (`bench/releases/*.py`).
Each module has

    def measure() -> Iterator[Measurement]

Results are medians. They are printed as a table and written to `bench/results/<domain>.json`.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one piece of work took: seconds on the clock and of the processors, megabytes."""

    wall_s: float
    cpu_s: float
    rss_mb: float


@dataclass(frozen=True)
class Measurement:
    """One row. `reach` says in words what should be reached; `reached` whether it was."""

    work: str
    size: str
    ours: Cost
    reach: str
    reached: bool
    runs: int
    peer: str = ""
    theirs: Cost | None = None

    def as_json(self) -> dict[str, object]:
        row: dict[str, object] = {
            "work": self.work,
            "size": self.size,
            "ours": vars(self.ours),
            "peer": self.peer,
            "theirs": vars(self.theirs) if self.theirs else None,
            "ratio_wall": None,
            "ratio_cpu": None,
            "reach": self.reach,
            "reached": self.reached,
            "runs": self.runs,
        }
        if self.theirs:
            row["ratio_wall"] = _ratio(self.theirs.wall_s, self.ours.wall_s)
            row["ratio_cpu"] = _ratio(self.theirs.cpu_s, self.ours.cpu_s)
        return row


def _ratio(theirs: float, ours: float) -> float | None:
    """How many times faster we are."""
    return round(theirs / ours, 3) if ours else None


def timed(work: Callable[[], object], *, runs: int) -> Cost:
    """The medians of `runs` runs in this process, and its peak memory."""
    walls, cpus = [], []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(statistics.median(walls), statistics.median(cpus), round(peak, 1))
