"""Where processes run, and who else takes the processors meanwhile. Linux; nothing elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TICK: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
IDLE: Final = (3, 4)  # idle and waiting for a disk, in the first line of /proc/stat
STEAL: Final = 7
_LOOP: Final = 2_000_000


@contextmanager
def pinned(cpus: Collection[int] | None) -> Iterator[None]:
    """What is started inside runs on these processors only, with all its threads."""
    if not cpus or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds of processor time since the start of the machine."""

    total: float
    busy: float
    steal: float
    ours: float


def now(*pids: int | None) -> Moment:
    """All processors together, and the part of these processes and of the runner itself."""
    try:
        line = Path("/proc/stat").read_text().partition("\n")[0]
    except OSError:
        return Moment(0, 0, 0, 0)
    ticks = [int(word) for word in line.split()[1:9]]
    total, idle = sum(ticks), sum(ticks[at] for at in IDLE)
    times = os.times()
    ours = times.user + times.system + sum(of_process(pid) for pid in pids if pid)
    return Moment(total / TICK, (total - idle - ticks[STEAL]) / TICK, ticks[STEAL] / TICK, ours)


def of_process(pid: int) -> float:
    """Seconds that a process took so far, all its threads; 0 when it is gone."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICK


def calibration() -> float:
    """ns of one step of a fixed loop: a slower or a busier processor shows here."""
    begun = time.perf_counter_ns()
    value = 0
    for step in range(_LOOP):
        value ^= step
    return (time.perf_counter_ns() - begun) / _LOOP


@dataclass
class Noise:
    """Summed over the measured spans of a run."""

    total: float = 0.0
    foreign: float = 0.0
    steal: float = 0.0
    load_start: float = field(default_factory=lambda: os.getloadavg()[0])
    step_ns: float = field(default_factory=calibration)

    def add(self, before: Moment, after: Moment) -> None:
        busy, ours = after.busy - before.busy, after.ours - before.ours
        self.total += after.total - before.total
        self.foreign += max(0.0, busy - ours)
        self.steal += after.steal - before.steal

    def facts(self) -> dict[str, float]:
        share = 1 / self.total if self.total else 0.0
        return {
            "foreign_cpu_share": round(min(1.0, self.foreign * share), 4),
            "steal_share": round(min(1.0, max(0.0, self.steal * share)), 4),
            "load1_start": self.load_start,
            "load1_end": os.getloadavg()[0],
            "calibration_ns": round((self.step_ns + calibration()) / 2, 2),
        }
