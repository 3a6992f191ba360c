"""Take in archives of usage reports, in several processes at once."""

from __future__ import annotations

import os
import tarfile
import time
from argparse import ArgumentTypeError
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from feedback.actions.drain import drain_inbox
from feedback.imports import Progress, import_archive, processes

DRAW_EVERY: Final = 0.2
TELL_EVERY: Final = 10.0  # seconds between lines where there is no terminal


def number_above_zero(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ArgumentTypeError("a number above zero")
    return int(text)


class Command(BaseCommand):
    help = (
        "Take in archives of usage reports: folders, tar files, lines of JSON, packed or not."
        " It may be interrupted at any time: run again it goes on where it stood, and a report"
        " that is known already changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("archives", nargs="+", type=Path, metavar="ARCHIVE")
        most = os.cpu_count() or 1
        parser.add_argument("--workers", type=number_above_zero, default=most, help="processes")

    def handle(self, *args: Any, archives: list[Path], workers: int, **options: Any) -> None:
        missing = [str(path) for path in archives if not path.exists()]
        if missing:
            raise CommandError(f"not there: {', '.join(missing)}")
        with processes(workers) as pool:
            for path in archives:
                self._import(path, pool, workers)
        while drain_inbox():
            pass

    def _import(self, path: Path, pool: Executor, workers: int) -> None:
        began, last, total = time.monotonic(), time.monotonic(), Progress()
        every = DRAW_EVERY if self.stdout.isatty() else TELL_EVERY
        try:
            for total in import_archive(path, pool, workers):
                for reason in total.reasons:
                    self.stderr.write(f"{path}: {reason}")
                total.reasons = []
                if time.monotonic() - last > every:
                    last = time.monotonic()
                    self._draw(self._words(path, total, began))
        except (OSError, EOFError, tarfile.TarError) as error:
            raise CommandError(f"{path} cannot be read to its end: {error}") from error
        self._draw(self._words(path, total, began), ends=True)

    def _words(self, path: Path, total: Progress, began: float) -> str:
        speed = total.reports / max(time.monotonic() - began, 0.001)
        words = f"{path.name}: {total.reports} reports taken in, {speed:.0f} a second"
        words += f", {total.unusable} unusable" if total.unusable else ""
        return words + (f", {total.skipped} parts were there" if total.skipped else "")

    def _draw(self, words: str, *, ends: bool = False) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\r\033[K{words}", ending="\n" if ends else "")
            self.stdout.flush()
        else:
            self.stdout.write(words)
