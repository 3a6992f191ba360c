"""Where bytes lie on disk: blobs under their SHA-256, uploads under their id.

What `keep` returns from is durable: file and folder are synced before. Nothing here is ever named
by an uploader. Who keeps bytes holds them until its transaction ends, so that the garbage
collection takes no file that is about to get a row.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, Final
from uuid import UUID

from django.conf import settings

from releases.hold import hold
from releases.repository.apt import Digests

CHUNK: Final = 4 * 2**20


def blob_path(sha256: str) -> Path:
    folder: Path = settings.RELEASE_FILES_DIR
    return folder / "blobs" / sha256[:2] / sha256[2:4] / sha256


def upload_path(upload: UUID) -> Path:
    folder: Path = settings.RELEASE_FILES_DIR
    return folder / "uploads" / f"{upload}.part"


def scratch() -> BinaryIO:
    """A new temporary file beside the blobs; `keep` it, then delete it by its name."""
    folder: Path = settings.RELEASE_FILES_DIR / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    return tempfile.NamedTemporaryFile(dir=folder, prefix="scratch-")  # type: ignore[return-value]


def digest(path: Path) -> Digests:
    """Size and four digests of a file in one pass, a thread for each digest."""
    hashes = [
        hashlib.md5(usedforsecurity=False),
        hashlib.sha1(usedforsecurity=False),
        hashlib.sha256(),
        hashlib.sha512(),
    ]
    size = 0
    with path.open("rb") as file, ThreadPoolExecutor(len(hashes)) as threads:
        at_work: list[Future[None]] = []
        while chunk := file.read(CHUNK):  # read ahead, while hashlib works without the lock
            size += len(chunk)
            _ = [done.result() for done in at_work]
            at_work = [threads.submit(found.update, chunk) for found in hashes]
    return Digests(size, *(found.hexdigest() for found in hashes))


def keep(path: Path, found: Digests) -> None:
    """Keep the file under its digest; `path` stays, as a second name of the same bytes."""
    hold([found.sha256])
    target = blob_path(found.sha256)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with path.open("rb") as file:
        os.fsync(file.fileno())
    part = target.with_name(f"{target.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    os.link(path, part)
    part.chmod(0o644)  # the signer, an account of its own, reads what it signs
    part.replace(target)
    sync_folder(target.parent)


def keep_bytes(data: bytes, found: Digests) -> None:
    hold([found.sha256])
    if blob_path(found.sha256).exists():
        return
    with scratch() as file:
        file.write(data)
        file.flush()
        keep(Path(file.name), found)


def sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
