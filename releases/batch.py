"""Blobs that become durable together: a disk syncs many files at once almost as fast as one."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from django.conf import settings

from releases import store
from releases.hold import hold
from releases.repository.apt import Digests


class Batch:
    """Within `with`, `add` bytes; when it ends well all of them are in the store and durable."""

    def __init__(self) -> None:
        self._folder: Path = settings.RELEASE_FILES_DIR / "uploads"
        self._written: dict[str, tuple[int, str]] = {}  # open file and its name, by SHA-256

    def __enter__(self) -> Batch:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def add(self, parts: Iterable[bytes | memoryview], *, md5: bool = False) -> Digests:
        """Write the parts one after the other; what they are together."""
        number, name = tempfile.mkstemp(dir=self._folder, prefix="scratch-")
        sha256, old = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
        size = 0
        with open(number, "wb", closefd=False) as file:
            for part in parts:
                size += len(part)
                sha256.update(part)
                if md5:
                    old.update(part)
                file.write(part)
        self._discard(sha256.hexdigest())
        self._written[sha256.hexdigest()] = (number, name)
        return Digests(size, old.hexdigest() if md5 else "", "", sha256.hexdigest(), "")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._keep()
        finally:
            for sha256 in list(self._written):
                self._discard(sha256)

    def _keep(self) -> None:
        """What lay under the same digest is replaced: had the disk damaged it, it is mended."""
        hold(self._written)
        folders = set()
        store.at_once(os.fsync, [number for number, _ in self._written.values()])
        for sha256, (number, name) in self._written.items():
            os.fchmod(number, 0o644)  # the signer, an account of its own, reads what it signs
            target = store.blob_path(sha256)
            target.parent.mkdir(parents=True, exist_ok=True)
            Path(name).replace(target)
            folders.add(target.parent)
        store.at_once(store.sync_folder, folders)

    def _discard(self, sha256: str) -> None:
        if sha256 in self._written:
            number, name = self._written.pop(sha256)
            os.close(number)
            Path(name).unlink(missing_ok=True)
