"""What lies on disk: files of the store, and temporary ones that somebody left behind."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar
from uuid import UUID

from django.conf import settings

SHA256: Final = re.compile(r"[0-9a-f]{64}")
HALF_KEPT: Final = re.compile(r"[0-9a-f]{64}\.\d+")  # what `store.keep` renames
SCRATCH: Final = re.compile(r"scratch-\w+")
PART: Final = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.part")
AT_ONCE: Final = 500

T = TypeVar("T")


@dataclass(frozen=True)
class Found:
    """A file and its size; `changed` is when it came under this name or was last written."""

    path: Path
    size: int
    changed: dt.datetime

    @property
    def name(self) -> str:
        return self.path.name


def stored(until: dt.datetime) -> Iterator[list[Found]]:
    """Files of the store that have lain there since `until`, some at once."""
    files = (found for found in _blobs(until) if SHA256.fullmatch(found.name))
    return some_at_once(files)


def temporary(until: dt.datetime) -> Iterator[Found]:
    """Files that some process wrote to for a moment, and has not since `until`."""
    yield from (found for found in _blobs(until) if HALF_KEPT.fullmatch(found.name))
    yield from (found for found in _uploads(until) if SCRATCH.fullmatch(found.name))


def parts(until: dt.datetime) -> Iterator[tuple[UUID, Found]]:
    """What has arrived of uploads, and has not grown since `until`."""
    for found in _uploads(until):
        if name := PART.fullmatch(found.name):
            yield UUID(name[1]), found


def some_at_once(things: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(things)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def remove(found: Found) -> bool:
    """Whether the file was there."""
    try:
        found.path.unlink()
    except FileNotFoundError:
        return False
    return True


def _blobs(until: dt.datetime) -> Iterator[Found]:
    for first in _folders(settings.RELEASE_FILES_DIR / "blobs"):
        for second in _folders(first):
            yield from _files(second, until)


def _uploads(until: dt.datetime) -> Iterator[Found]:
    return _files(settings.RELEASE_FILES_DIR / "uploads", until)


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.exists() else []


def _files(folder: Path, until: dt.datetime) -> Iterator[Found]:
    """The plain files of a folder; one that goes away meanwhile is left out."""
    if not folder.exists():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                about = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            changed = dt.datetime.fromtimestamp(max(about.st_mtime, about.st_ctime), dt.UTC)
            if entry.is_file(follow_symlinks=False) and changed <= until:
                yield Found(Path(entry.path), about.st_size, changed)
