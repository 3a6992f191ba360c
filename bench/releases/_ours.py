"""The portal publishing one more package: the worker's steps in this process, PostgreSQL and the
signer as processes of their own, whose processor time is counted too.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench import Cost, _installation

NEXT_SECOND = 1.1  # two publications of a repository never have the same date
SYSTEMS = {"APT": ("debian-12", "", "amd64"), "YUM": ("rhel-9", "x86_64", "x86_64")}


@dataclass(frozen=True)
class Published:
    """What a publication cost; `grows` is the time for reading, hashing and copying indices."""

    cost: Cost
    grows: float


@contextlib.contextmanager
def installation() -> Iterator[tuple[Path, list[int]]]:
    """Database, signer and Django; its folder, and the processes that are not this one."""
    with _installation.django() as found, signer(found.environ) as process:
        gc.collect()
        gc.freeze()  # as a worker does when it starts
        yield found.folder, [found.postgres, process.pid]


@contextlib.contextmanager
def signer(environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Where the settings look for it: below STATE_DIR."""
    socket = Path(environ["STATE_DIR"]) / "signer.sock"
    command = [sys.executable, "-m", "releases.signer"]
    with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:
        try:
            while not socket.exists():
                time.sleep(0.1)
            yield process
        finally:
            process.terminate()


class Ours:
    """A repository of each format with a number of packages."""

    def __init__(self, number: int, others: list[int]) -> None:
        from django.utils import timezone

        from portal.accounts.models import User
        from releases.tests import factory

        self.number, self.others = number, others
        self.actor, _ = User.objects.get_or_create(email="bench@example.org")
        self.release = factory.make_draft(f"1.{number}.0")
        self.release.published_at = timezone.now()
        self.release.save()
        self.repositories = {kind: self._repository(*words) for kind, words in SYSTEMS.items()}

    def _repository(self, distribution: str, architecture: str, processor: str) -> Any:
        from releases.models import Repository

        return Repository.objects.create(
            series=self.release.series,
            distribution=distribution,
            architecture=architecture,
            origin="Bench",
            label="Bench",
            codename="bookworm",
        )

    def fill(self, kind: str) -> Published:
        """All packages at once: the first publication, written and checked as a whole."""
        return self._publish(kind, [f"exampledb-{at}" for at in range(self.number)])

    def add(self, kind: str, runs: int) -> Published:
        """One more package, so many times; medians."""
        found = []
        for run in range(runs):
            time.sleep(NEXT_SECOND)
            found.append(self._publish(kind, [f"one-more-{run}"]))
        costs = [one.cost for one in found]
        return Published(
            Cost(
                statistics.median(cost.wall_s for cost in costs),
                statistics.mean(cost.cpu_s for cost in costs),  # a process counts in 10 ms
                max(cost.rss_mb for cost in costs),
            ),
            statistics.median(one.grows for one in found),
        )

    def _publish(self, kind: str, names: list[str]) -> Published:
        from releases.tests.many import Wanted, make_packages

        version = f"12.{self.number}.0"
        wanted = [Wanted(name, version, SYSTEMS[kind][2]) for name in names]
        packages = make_packages(actor=self.actor, release=self.release, wanted=wanted)
        grows: list[float] = []
        with counted(grows):
            others = self._cpu_of_others()
            wall, cpu = time.perf_counter(), time.process_time()
            self._steps(kind, packages)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            cpu += self._cpu_of_others() - others
            rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            cost = Cost(wall, cpu, round(rss, 1))
        return Published(cost, sum(grows))

    def _steps(self, kind: str, packages: list[Any]) -> None:
        """As the worker does it."""
        from django.db import transaction

        from releases import tasks
        from releases.actions.repository import queue_publication
        from releases.tests.many import enter

        with transaction.atomic():
            publication = queue_publication(repository=self.repositories[kind])
            enter(self.repositories[kind], publication, packages)
        state = tasks.advance(publication.pk, tasks.signer())
        if state != "current":
            publication.refresh_from_db()
            raise RuntimeError(f"{publication} is {state}: {publication.reason}")

    def _cpu_of_others(self) -> float:
        """Of the signer, and of PostgreSQL with every process that it has."""
        found = 0.0
        for number in self.others:
            process = psutil.Process(number)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    found += sum(one.cpu_times()[:2])
        return found


@contextlib.contextmanager
def counted(times: list[float]) -> Iterator[None]:
    """Collect how long what grows with the index takes: reading, hashing and copying its files."""
    from releases.actions import check, index
    from releases.batch import Batch
    from releases.repository import buckets

    places: list[tuple[Any, str]] = [
        (index, "_stored"),
        (check, "_read"),
        (Batch, "add"),
        (buckets, "digest_of"),
    ]
    kept = [(place, name, getattr(place, name)) for place, name in places]
    for place, name, work in kept:
        setattr(place, name, _timed(work, times))
    try:
        yield
    finally:
        for place, name, work in kept:
            setattr(place, name, work)


def _timed(work: Callable[..., Any], times: list[float]) -> Callable[..., Any]:
    @functools.wraps(work)
    def wrapper(*words: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return work(*words, **named)
        finally:
            times.append(time.process_time() - start)

    return wrapper
