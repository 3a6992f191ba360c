"""A .deb: ar around two tar archives."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping, Sequence

from releases.packaging.contents import PackagedFile

AR_MAGIC = b"!<arch>\n"


def build_deb(
    *,
    name: str,
    version: str,
    architecture: str,
    summary: str,
    files: Sequence[PackagedFile],
    stamp: int,
    maintainer: str,
    section: str = "database",
) -> bytes:
    """The package; `stamp` (seconds since 1970) is the time of everything inside."""
    control = (
        f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n"
        f"Maintainer: {maintainer}\n"
        f"Section: {section}\nPriority: optional\n"
        f"Description: {summary}\n"
    )
    inner = {"control": control.encode()}
    if configs := [file.path for file in files if file.is_config]:
        inner["conffiles"] = "".join(f"{path}\n" for path in configs).encode()
    data = {file.path.lstrip("/"): file.data for file in sorted(files)}
    return b"".join(
        [
            AR_MAGIC,
            ar_member("debian-binary", b"2.0\n", stamp),
            ar_member("control.tar.gz", tar(inner, stamp), stamp),
            ar_member("data.tar.gz", tar(data, stamp), stamp),
        ]
    )


def ar_member(name: str, data: bytes, stamp: int) -> bytes:
    header = f"{name:<16}{stamp:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n"
    return header.encode() + data + b"\n" * (len(data) % 2)


def tar(files: Mapping[str, bytes], stamp: int) -> bytes:
    """A gzipped tar archive with the folders that its files need."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for folder in sorted({folder for path in files for folder in _folders(path)}):
            entry = tarfile.TarInfo(f"./{folder}")
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, stamp
            archive.addfile(entry)
        for path, data in files.items():
            entry = tarfile.TarInfo(f"./{path}")
            entry.size, entry.mode, entry.mtime = len(data), 0o644, stamp
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), 9, mtime=0)


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: at + 1]) for at in range(len(parts))]
