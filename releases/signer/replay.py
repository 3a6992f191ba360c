"""Reading the log of the signer at its start: what it remembers, once the log was found whole.

A line that was edited, taken out or put in breaks the chain of digests; `head` tells of lines that
are missing at the end. What a checkpoint covers is hashed, not read.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

CHUNK: Final = 2**20


class LogBrokenError(Exception):
    """The log is not what was written: signing on could go back in time. Says what to do."""


@dataclass(frozen=True)
class Line:
    """One granted request, or a change of the keys."""

    at: str
    kind: str
    sha256: str
    repository: str = ""
    serial: int = 0
    date: int = 0  # of the index, seconds since 1970
    frozen: dict[str, str] = field(default_factory=dict)
    chain: str = ""  # the digest of what stands before it; empty in lines older than the chain


@dataclass(frozen=True)
class Place:
    """How far a file of the log goes: its number, bytes, lines, and the digest of them."""

    number: int = 1
    size: int = 0
    lines: int = 0
    digest: str = ""


@dataclass
class Memory:
    """What the log says: the files that are full, how far the last one goes, and the last line of
    each repository.
    """

    closed: list[Place] = field(default_factory=list)
    place: Place = field(default_factory=Place)
    last: dict[str, Line] = field(default_factory=dict)
    hash: Any = field(default_factory=hashlib.sha256)  # of the file that is written to

    def begin_file(self) -> None:
        """A new file, whose chain begins with the digest of the one before."""
        self.closed.append(self.place)
        self.hash = hashlib.sha256(self.place.digest.encode())
        self.place = Place(self.place.number + 1, 0, 0, self.hash.hexdigest())

    def take(self, raw: bytes, line: Line) -> None:
        self.hash.update(raw)
        place = self.place
        self.place = Place(
            place.number, place.size + len(raw), place.lines + 1, self.hash.hexdigest()
        )
        if line.repository:
            self.last[line.repository] = line


def file_path(folder: Path, number: int) -> Path:
    return folder / f"log-{number:06}.jsonl"


def restore(folder: Path) -> Memory:
    """Raises LogBrokenError."""
    memory = _from_checkpoint(folder)
    head = _read_head(folder)
    while True:
        _read_file(folder, memory, head)
        if not file_path(folder, memory.place.number + 1).exists():
            break
        memory.begin_file()
    reached = (memory.place.number, memory.place.size)
    if head is not None and (head.number, head.size) > reached:
        raise LogBrokenError(
            f"lines are missing at the end of {file_path(folder, head.number)}: bring the whole"
            " folder back from the newest backup"
        )
    return memory


def _from_checkpoint(folder: Path) -> Memory:
    path = folder / "checkpoint.json"
    try:
        content = json.loads(path.read_bytes())
        memory = Memory(
            [Place(**fields) for fields in content["closed"]],
            Place(**content["place"]),
            {name: Line(**fields) for name, fields in content["last"].items()},
        )
    except FileNotFoundError:
        return Memory()
    except (ValueError, KeyError, TypeError) as error:
        raise LogBrokenError(
            f"{path} cannot be read ({error}): remove it, and the log is read whole"
        ) from error
    for closed in memory.closed:
        closed_path = file_path(folder, closed.number)
        if not closed_path.exists() or closed_path.stat().st_size != closed.size:
            raise LogBrokenError(f"{closed_path} is not what was written; see its backup")
    return memory


def _read_file(folder: Path, memory: Memory, head: Place | None) -> None:
    """Hash what is known of the last file, then read its other lines."""
    known = memory.place
    path = file_path(folder, known.number)
    before = memory.closed[-1].digest if memory.closed else ""
    memory.hash = hashlib.sha256(before.encode())
    if not path.exists():
        if known.size:
            raise LogBrokenError(f"{path} is gone: bring the folder back from the newest backup")
        return
    with path.open("rb") as file:
        _hash_part(file, known.size, memory.hash)
        if known.size and memory.hash.hexdigest() != known.digest:
            raise _edited(path, known.lines)
        _read_lines(file, path, memory, head)


def _hash_part(file: BinaryIO, size: int, into: Any) -> None:
    while size and (part := file.read(min(size, CHUNK))):
        into.update(part)
        size -= len(part)


def _read_lines(file: BinaryIO, path: Path, memory: Memory, head: Place | None) -> None:
    """The lines with an end; one without was cut off by a crash and never answered."""
    is_chained = memory.place.size > 0 or memory.place.number > 1
    for raw in file:
        if not raw.endswith(b"\n"):
            return
        try:
            line = Line(**json.loads(raw))
        except (ValueError, TypeError):
            raise _edited(path, memory.place.lines) from None
        is_chained = is_chained or bool(line.chain)
        if is_chained and line.chain != memory.hash.hexdigest():
            raise _edited(path, memory.place.lines)
        memory.take(raw, line)
        place = memory.place
        is_at_head = head and (head.number, head.size) == (place.number, place.size)
        if is_at_head and head and head.digest != place.digest:
            raise _edited(path, place.lines - 1)


def _read_head(folder: Path) -> Place | None:
    try:
        number, size, digest = (folder / "head").read_text().split()
        return Place(int(number), int(size), 0, digest)
    except (FileNotFoundError, ValueError):
        return None


def _edited(path: Path, lines: int) -> LogBrokenError:
    return LogBrokenError(
        f"{path} was edited at or before line {lines + 1}: bring the whole folder back from the"
        " newest backup, and find out who changed it"
    )


def check(folder: Path) -> int:
    """Read every line of every file, without the help of a checkpoint; how many there are."""
    memory, head = Memory(), _read_head(folder)
    known = {place.number: place for place in _from_checkpoint(folder).closed}
    while True:
        _read_file(folder, memory, head)
        if known.get(memory.place.number, memory.place) != memory.place:
            raise _edited(file_path(folder, memory.place.number), memory.place.lines)
        if not file_path(folder, memory.place.number + 1).exists():
            return sum(place.lines for place in memory.closed) + memory.place.lines
        memory.begin_file()
