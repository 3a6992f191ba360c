"""Importing archives of reports in several processes at once.

One process reads the archives and hands out their parts; the others clean and copy them, and read
what they copied, as the worker does. A part is remembered in the transaction that takes it in.
"""

from __future__ import annotations

import datetime as dt
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import django
from django.conf import settings
from django.utils import timezone

from feedback import archives, inbox
from feedback.actions.batch import import_part
from feedback.actions.drain import drain_inbox
from feedback.archives import Item, UnusableError
from feedback.models import ImportedPart, facts_since

AHEAD: Final = 3  # parts for each process that wait for it
SHOWN: Final = 5  # reasons of one part


@dataclass(slots=True)
class Progress:
    """What was done so far. `unusable` names the first ones, with the reason."""

    parts: int = 0
    reports: int = 0
    skipped: int = 0  # parts that an earlier run took in
    unusable: int = 0
    reasons: list[str] = field(default_factory=list)

    def add(self, other: Progress) -> None:
        self.parts += other.parts
        self.reports += other.reports
        self.skipped += other.skipped
        self.unusable += other.unusable
        self.reasons = other.reasons


def import_archive(path: Path, pool: Executor, workers: int) -> Iterator[Progress]:
    """Import one archive; yields what was done so far, again and again."""
    digest, total = archives.digest(path), Progress()
    done = set(ImportedPart.objects.filter(archive=digest).values_list("part", flat=True))
    running: set[Future[Progress]] = set()
    for number, part in enumerate(archives.parts(archives.items(path))):
        if number in done:
            total.add(Progress(skipped=1))
            continue
        running.add(pool.submit(import_items, digest, number, part))
        if len(running) >= AHEAD * workers:
            running = _gather(running, total)
            yield total
    while running:
        running = _gather(running, total)
        yield total
    yield total


def _gather(running: set[Future[Progress]], total: Progress) -> set[Future[Progress]]:
    """Wait for one part at least."""
    ended, running = wait(running, return_when=FIRST_COMPLETED)
    for future in ended:
        total.add(future.result())
    return running


def processes(workers: int) -> ProcessPoolExecutor:
    """Processes with a connection to the database of their own."""
    return ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=django.setup
    )


def import_items(archive: bytes, number: int, found: list[Item]) -> Progress:
    """Take one part in, and read as many reports as are in it."""
    now, rows, told = timezone.now(), [], Progress(parts=1)
    since = facts_since(now)
    for item in found:
        try:
            rows.append(_row(item, since, now))
        except UnusableError as error:
            told.unusable += 1
            told.reasons = [*told.reasons, f"{item.name}: {error}"][:SHOWN]
    if not import_part(archive=archive, part=number, rows=rows, at=now):
        return Progress(skipped=1)
    drain_inbox(limit=archives.PART)
    told.reports = len(rows)
    return told


def _row(item: Item, since: dt.date, now: dt.datetime) -> inbox.Row:
    report = archives.sent(item)
    at = archives.in_time(report.at or now, since=since, now=now)
    pepper = str(settings.FEEDBACK_PEPPER).encode()
    return inbox.row(report.body, pepper=pepper, received_at=at)
