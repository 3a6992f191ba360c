"""What a copy says of itself: when it was taken, of what, and the digest of each of its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from portal.backup import BackupError
from portal.lib.files import write_whole

FORMAT: Final = 1
NAME: Final = "manifest.json"
CHUNK: Final = 2**20


@dataclass(frozen=True)
class Sum:
    """The SHA-256 of a file and its size."""

    sha256: str
    size: int


@dataclass
class Manifest:
    """`files` are those of the copy's own folder; `rows` counts the tables of each database."""

    taken_at: str
    portal: str
    postgres: int
    parts: list[str]
    left_out: list[str]
    migrations: list[str] = field(default_factory=list)
    files: dict[str, Sum] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        content = {"format": FORMAT, **asdict(self)}
        write_whole(folder / NAME, json.dumps(content, indent=1).encode() + b"\n")


def read(folder: Path) -> Manifest:
    """Raises BackupError."""
    try:
        content = json.loads((folder / NAME).read_bytes())
    except FileNotFoundError:
        raise BackupError(f"{folder} is no finished copy: it has no {NAME}.") from None
    except ValueError as error:
        raise BackupError(f"{folder / NAME} cannot be read: {error}") from error
    if content.pop("format") != FORMAT:
        raise BackupError(f"{folder} was written by another version of this command.")
    content["files"] = {name: Sum(**one) for name, one in content["files"].items()}
    return Manifest(**content)


def finished(store: Path) -> list[Path]:
    """The finished copies of a backup folder, oldest first."""
    return sorted(path.parent for path in store.glob(f"*/{NAME}"))


def sum_of(path: Path) -> Sum:
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(path):
        digest.update(chunk)
        size += len(chunk)
    return Sum(digest.hexdigest(), size)


def chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
