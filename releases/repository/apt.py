"""Writing the indices of an APT repository. Pure: dataclasses in, bytes out.

An index is the concatenation of stanzas that were written once, when the package came in; so a
later writer may keep it in parts. Format: "DebianRepository/Format" in the Debian wiki.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Final

import zstandard

COMPONENT: Final = "main"
NEVER_GZIPPED_AT: Final = 0


@dataclass(frozen=True, slots=True)
class Digests:
    """Size and the four digests of some bytes, in hexadecimal."""

    size: int
    md5: str
    sha1: str
    sha256: str
    sha512: str


@dataclass(frozen=True, slots=True)
class Suite:
    """What stays the same for the life of a repository."""

    origin: str
    label: str
    codename: str


def digests(data: bytes) -> Digests:
    return Digests(
        size=len(data),
        md5=hashlib.md5(data, usedforsecurity=False).hexdigest(),
        sha1=hashlib.sha1(data, usedforsecurity=False).hexdigest(),
        sha256=hashlib.sha256(data).hexdigest(),
        sha512=hashlib.sha512(data).hexdigest(),
    )


def pool_path(source: str, package: str, version: str, architecture: str) -> str:
    """Where a package lies below the root of the repository; the epoch is not part of it."""
    letter = source[:4] if source.startswith("lib") else source[0]
    upstream = version.partition(":")[2] or version
    return f"pool/{COMPONENT}/{letter}/{source}/{package}_{upstream}_{architecture}.deb"


def stanza(control: str, filename: str, found: Digests) -> bytes:
    """A package's paragraph of Packages: its control fields and where and what its file is."""
    lines = [
        control,
        f"Filename: {filename}",
        f"Size: {found.size}",
        f"MD5sum: {found.md5}",
        f"SHA1: {found.sha1}",
        f"SHA256: {found.sha256}",
        f"SHA512: {found.sha512}",
    ]
    return ("\n".join(lines) + "\n\n").encode()


def packages(stanzas: Iterable[bytes]) -> bytes:
    return b"".join(stanzas)


def gz(data: bytes) -> bytes:
    """Compressed without a time, so that the same text gives the same bytes."""
    return gzip.compress(data, 9, mtime=NEVER_GZIPPED_AT)


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=19).compress(data)


def architecture_indices(architecture: str, text: bytes) -> dict[str, bytes]:
    """The index files of one architecture by their path below dists/<codename>/.

    The plain Packages is listed although nobody fetches it: apt shows no package without its hash.
    """
    folder = f"{COMPONENT}/binary-{architecture}"
    return {
        f"{folder}/Packages": text,
        f"{folder}/Packages.gz": gz(text),
        f"{folder}/Packages.zst": zst(text),
    }


def by_hash(path: str, sha256: str) -> str:
    """The address of an index that does not change when the index does."""
    return f"{path.rpartition('/')[0]}/by-hash/SHA256/{sha256}"


def release(
    suite: Suite, date: datetime, architectures: Iterable[str], indices: Mapping[str, Digests]
) -> bytes:
    """The text that is signed. `date` has whole seconds and is not in the future."""
    head = [
        f"Origin: {suite.origin}",
        f"Label: {suite.label}",
        f"Suite: {suite.codename}",
        f"Codename: {suite.codename}",
        f"Date: {format_datetime(date, usegmt=True)}",
        f"Architectures: {' '.join(architectures)}",
        f"Components: {COMPONENT}",
        "Acquire-By-Hash: yes",
    ]
    for title, name in (("MD5Sum", "md5"), ("SHA256", "sha256"), ("SHA512", "sha512")):
        head.append(f"{title}:")
        head += [
            f" {getattr(found, name)} {found.size} {path}"
            for path, found in sorted(indices.items())
        ]
    return ("\n".join(head) + "\n").encode()


def read_fields(text: str) -> dict[str, str]:
    """The one-line fields of a Release. Raises ValueError when a field stands twice."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        name, colon, value = line.partition(":")
        if not colon or name in fields:
            raise ValueError(f"a Release has each field once: {name[:40]!r}")
        fields[name] = value.strip()
    return fields
