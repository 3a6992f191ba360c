"""Reports that were kept elsewhere: lines of JSON, and archives of them or of raw reports. Pure.

To add a kind of archive: a function that yields its items, and a line in `items`.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import gzip
import hashlib
import json
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

LIMIT: Final = 256 * 1024  # bytes of a report, as for the receiver
HEAD_LIMIT: Final = 16 * 1024
LINE_LIMIT: Final = 2 * LIMIT  # bytes of a line: JSON writes some letters longer
PART: Final = 500  # reports that are imported together
_DATE: Final = b"x-report-date"


class UnusableError(ValueError):
    """There is no report in it; the text says why."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something of an archive that should be a report, as it was found."""

    name: str
    content: bytes
    is_line: bool
    at: dt.datetime | None = None  # when the archive says that it was written


@dataclass(frozen=True, slots=True)
class Sent:
    """A report as a server sends it, and when it did."""

    body: bytes
    at: dt.datetime | None


def sent(item: Item) -> Sent:
    """The report in an item; UnusableError when there is none."""
    found = from_line(item.content) if item.is_line else _from_file(item.content)
    return Sent(found.body, found.at or item.at)


def from_line(line: bytes) -> Sent:
    """A line `{"report": "KEY\\tVALUE\\n...", "at": "2026-11-21"}`; `at` may lack."""
    try:
        found = json.loads(line)
        body, at = found["report"].encode(errors="replace"), found.get("at")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnusableError('not a line {"report": "...", "at": "..."}') from error
    if not body.strip():
        raise UnusableError("the report is empty")
    if len(body) > LIMIT:
        raise UnusableError("the report is larger than 256 kB")
    return Sent(body, date(at) if at is not None else None)


def _from_file(content: bytes) -> Sent:
    """A body, or a whole request with its head."""
    if not content.startswith(b"POST "):
        head, body = b"", content
    else:
        head, _, body = content.partition(b"\r\n\r\n")
    if not body.strip():
        raise UnusableError("the file is empty")
    if len(body) > LIMIT:
        raise UnusableError("the report is larger than 256 kB")
    fields = [line.partition(b":") for line in head.split(b"\r\n")[1:]]
    dates = [value for name, _, value in fields if name.strip().lower() == _DATE]
    return Sent(body, date(dates[-1].decode(errors="replace")) if dates else None)


def date(text: object) -> dt.datetime:
    """A moment as ISO 8601 or HTTP write it, or a day, which begins in Greenwich.

    >>> date("2026-11-21"), date("Sat, 21 Nov 2026 08:00:00 GMT").hour
    (datetime.datetime(2026, 11, 21, 0, 0, tzinfo=datetime.timezone.utc), 8)
    """
    if not isinstance(text, str):
        raise UnusableError("the date is no text")
    text = text.strip()
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        try:
            found = email.utils.parsedate_to_datetime(text)
        except (ValueError, TypeError) as error:
            raise UnusableError(f"no date: {text[:40]!r}") from error
    try:
        return (found if found.tzinfo else found.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except OverflowError as error:
        raise UnusableError(f"no date: {text[:40]!r}") from error


def in_time(at: dt.datetime, *, since: dt.date, now: dt.datetime) -> dt.datetime:
    """The moment of a report, where its facts would be kept; UnusableError otherwise."""
    if at.date() < since:
        raise UnusableError(f"older than what is kept, which begins on {since}")
    if at > now:
        raise UnusableError("the date is in the future")
    return at


# --- archives ------------------------------------------------------------------------


def digest(path: Path) -> bytes:
    """What tells an archive from others, wherever it lies."""
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    found = hashlib.sha256()
    for each in _files(path):
        known = each.stat()
        found.update(f"{each.relative_to(path)}\0{known.st_size}\0{known.st_mtime_ns}\n".encode())
    return found.digest()


def parts(found: Iterable[Item]) -> Iterator[list[Item]]:
    """The items in the portions that are imported together."""
    rest = iter(found)
    while part := list(islice(rest, PART)):
        yield part


def items(path: Path) -> Iterator[Item]:
    """What is in an archive: a folder, a tar (packed or not), lines of JSON (packed or not)."""
    if path.is_dir():
        yield from _of_folder(path)
    elif tarfile.is_tarfile(path):
        yield from _of_tar(path)
    elif path.suffix == ".gz":
        with gzip.open(path) as packed:
            yield from _of_lines(packed)
    else:
        with path.open("rb") as file:
            yield from _of_lines(file)


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file() and not file.is_symlink())


def _of_folder(path: Path) -> Iterator[Item]:
    for file in _files(path):
        with file.open("rb") as opened:
            content = opened.read(LIMIT + HEAD_LIMIT + 1)
        yield Item(str(file.relative_to(path)), content, False, _moment(file.stat().st_mtime))


def _of_tar(path: Path) -> Iterator[Item]:
    """Read from front to end, never unpacked to a disk."""
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                content = file.read(LIMIT + HEAD_LIMIT + 1)
                yield Item(member.name, content, False, _moment(member.mtime))


def _of_lines(file: BinaryIO | gzip.GzipFile) -> Iterator[Item]:
    number = 0
    while line := file.readline(LINE_LIMIT):
        number += 1
        while not line.endswith(b"\n") and (rest := file.readline(LINE_LIMIT)):
            line = b"too long" + rest[-1:]
        if line.strip():
            yield Item(f"line {number}", line, is_line=True)


def _moment(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)
