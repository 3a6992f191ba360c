"""Where bytes lie on disk: blobs under their SHA-256, uploads under their id.

What `keep` returns from is durable: file and folder are synced before. Nothing here is ever named
by an uploader. Who keeps bytes holds them until its transaction ends, so that the garbage
collection takes no file that is about to get a row.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeVar
from uuid import UUID

from django.conf import settings

from releases.hold import hold
from releases.repository.apt import Digests

CHUNK: Final = 4 * 2**20
PIECE: Final = 2**18
LARGE: Final = 64 * 2**20
THREADS: Final = ThreadPoolExecutor(8, thread_name_prefix="store")  # each starts when needed

T = TypeVar("T")


class Hash(Protocol):
    """What hashlib makes."""

    def update(self, data: bytes | memoryview, /) -> None: ...


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
    """Size and four digests of a file in one pass; of a large one with a thread for each digest."""
    hashes = [
        hashlib.md5(usedforsecurity=False),
        hashlib.sha1(usedforsecurity=False),
        hashlib.sha256(),
        hashlib.sha512(),
    ]
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        read = _read_with_threads if size > LARGE else _read
        return Digests(read(file, hashes), *(found.hexdigest() for found in hashes))


def _read(file: FileIO, hashes: Sequence[Hash]) -> int:
    """In pieces that stay in the processor's cache from one digest to the next."""
    piece, size = memoryview(bytearray(PIECE)), 0
    while read := file.readinto(piece):
        size += read
        for found in hashes:
            found.update(piece[:read])
    return size


def _read_with_threads(file: FileIO, hashes: Sequence[Hash]) -> int:
    """The next chunk is read while hashlib works, which it does without the interpreter's lock."""
    size = 0
    with ThreadPoolExecutor(len(hashes)) as threads:
        at_work: list[Future[None]] = []
        while chunk := file.read(CHUNK):
            size += len(chunk)
            _ = [done.result() for done in at_work]
            at_work = [threads.submit(found.update, chunk) for found in hashes]
    return size


def keep(path: Path, found: Digests) -> None:
    """Keep the file under its digest; `path` stays, as a second name of the same bytes."""
    keep_all([(path, found)])


def keep_all(files: Sequence[tuple[Path, Digests]]) -> None:
    """The same for several, which become durable together."""
    hold([found.sha256 for _, found in files])
    missing = {found.sha256: path for path, found in files if not blob_path(found.sha256).exists()}
    at_once(_sync, missing.values())
    folders = {folder for sha256 in missing for folder in _make_folder(blob_path(sha256).parent)}
    for sha256, path in missing.items():
        target = blob_path(sha256)
        part = target.with_name(f"{target.name}.{os.getpid()}")
        part.unlink(missing_ok=True)
        os.link(path, part)
        part.chmod(0o644)  # the signer, an account of its own, reads what it signs
        part.replace(target)
    at_once(_sync, folders)


def _make_folder(folder: Path) -> list[Path]:
    """Make it where it is not there; those that have a new name in them, or get one."""
    if folder.exists():
        return [folder]
    above = _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    return [folder, *above]


def sync_folder(folder: Path) -> None:
    _sync(folder)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def at_once(do: Callable[[T], object], things: Collection[T]) -> None:
    """The same for all, side by side."""
    if len(things) < 2:
        for thing in things:
            do(thing)
        return
    list(THREADS.map(do, things))
