"""The files of a bundle: read from a folder or an archive, and put into an archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

TOP = "decisions/"  # the folder inside the archive
OLDEST = (1980, 1, 1, 0, 0, 0)


class NotABundleError(Exception):
    """The message says why."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive: the same files are always the same bytes, whatever the library or the clock."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(TOP + path, OLDEST)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[path])
    return packed.getvalue()


def read(path: Path) -> dict[str, bytes]:
    """The files by their paths. Raises NotABundleError."""
    if path.is_dir():
        return _read_folder(path)
    try:
        return unpack(path.read_bytes())
    except OSError as error:
        raise NotABundleError(f"{path} cannot be read: {error.strerror}") from None


def unpack(packed: bytes) -> dict[str, bytes]:
    """Raises NotABundleError; also for an archive that was packed in another way, because then
    there are bytes in it that nothing checks.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            named = {name: archive.read(name) for name in archive.namelist()}
    except Exception as error:  # what a damaged archive makes of the library
        raise NotABundleError(f"the archive cannot be read: {error}") from None
    files = {name.removeprefix(TOP): data for name, data in named.items()}
    if pack(files) != packed:
        raise NotABundleError(
            "the archive is not as it was packed: a byte between the files differs"
            " (if you packed it anew yourself, check the folder instead)"
        )
    return files


def _read_folder(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and _is_ours(path)]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _is_ours(path: Path) -> bool:
    """Python leaves compiled files beside the checker when it runs."""
    return path.suffix != ".pyc"
