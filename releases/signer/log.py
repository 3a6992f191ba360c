"""The log of the signer: lines are added, never changed, and each seals what stands before it.

It is the signer's memory. Files `log-000001.jsonl` and so on hold the lines; `head` says after each
line how far they go; `checkpoint.json` spares the next start to read them all (see replay.py).
"""

from __future__ import annotations

import errno
import json
import logging
import os
from dataclasses import asdict, replace
from io import FileIO
from pathlib import Path
from typing import Final

from portal.lib.files import write_whole
from releases.signer.replay import Line, file_path, restore

logger = logging.getLogger("releases.signer")

LINES_PER_FILE: Final = 1_000_000
LINES_PER_CHECKPOINT: Final = 20_000


class Log:
    """Not safe for several threads: the office has the lock."""

    def __init__(self, folder: Path, *, lines_per_file: int = LINES_PER_FILE) -> None:
        self.folder, self.lines_per_file = folder, lines_per_file
        self._adopt()
        self._memory = restore(folder)
        self._unsaved = 0
        self._file = self._open()
        self._head = os.open(folder / "head", os.O_WRONLY | os.O_CREAT, 0o600)
        self._tell_head()

    def last(self, repository: str) -> Line | None:
        return self._memory.last.get(repository)

    def append(self, line: Line) -> None:
        """The line is on the disk when this returns."""
        if self._memory.place.lines >= self.lines_per_file:
            self._begin_file()
        line = replace(line, chain=self._memory.hash.hexdigest())
        raw = json.dumps(asdict(line)).encode() + b"\n"
        self._write(raw)
        self._memory.take(raw, line)
        self._tell_head()
        self._unsaved += 1
        if self._unsaved >= LINES_PER_CHECKPOINT:
            self.checkpoint()

    def _write(self, raw: bytes) -> None:
        """All of it, or nothing: what a full disk cut off is taken away again."""
        try:
            if self._file.write(raw) != len(raw):
                raise OSError(errno.ENOSPC, "the log of the signer takes no more")
            os.fsync(self._file.fileno())
        except OSError:
            self._undo()
            raise

    def _undo(self) -> None:
        """Back to the end of the last line. A log that cannot be mended is signed on no more."""
        try:
            self._file.truncate(self._memory.place.size)
            os.fsync(self._file.fileno())
        except OSError:
            logger.critical("%s cannot be mended: the signer stops", self.folder)
            os._exit(1)

    def checkpoint(self) -> None:
        """Keep what is remembered, so that the next start reads from here."""
        content = {
            "closed": [asdict(place) for place in self._memory.closed],
            "place": asdict(self._memory.place),
            "last": {name: asdict(line) for name, line in self._memory.last.items()},
        }
        write_whole(self.folder / "checkpoint.json", json.dumps(content).encode())
        self._unsaved = 0

    def close(self) -> None:
        self.checkpoint()
        self._file.close()
        os.close(self._head)

    def _begin_file(self) -> None:
        """The full file is checked by its size and digest from now on."""
        self._memory.begin_file()
        self.checkpoint()
        self._file.close()
        self._file = self._open()

    def _open(self) -> FileIO:
        place = self._memory.place
        file = file_path(self.folder, place.number).open("ab", buffering=0)
        file.truncate(place.size)  # what a crash cut off was never answered
        return file

    def _tell_head(self) -> None:
        """One write of one line; not synced: after a loss of power it lies behind the log."""
        place = self._memory.place
        told = f"{place.number} {place.size} {place.digest}\n".encode()
        os.pwrite(self._head, told, 0)
        os.ftruncate(self._head, len(told))

    def _adopt(self) -> None:
        """The one file of before there were several."""
        old, first = self.folder / "log.jsonl", file_path(self.folder, 1)
        if old.exists() and not first.exists():
            old.rename(first)
