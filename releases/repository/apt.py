"""Writing the indices of an APT repository. Pure: dataclasses in, bytes out.

An index is the concatenation of stanzas that were written once, when the package came in.
Format: "DebianRepository/Format" in the Debian wiki.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Final

MAIN: Final = "main"
DEBUG: Final = "main/debug"
COMPONENTS: Final = (MAIN, DEBUG)
# What compilers and packagers call the packages that only debuggers need.
DEBUG_NAMES: Final = re.compile(r".*-(dbg|dbgsym|debuginfo|debugsource)")
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
RELEASE_FIELDS: Final = frozenset(
    {
        *("Origin", "Label", "Suite", "Codename", "Date", "Valid-Until", "Architectures"),
        *("Components", "Acquire-By-Hash", "MD5Sum", "SHA256"),
    }
)
STANZA_FIELDS: Final = ("Package", "Version", "Architecture", "Filename", "Size", "SHA256")
STANZA_LINE: Final = re.compile(rf"^({'|'.join(STANZA_FIELDS)}): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Digests:
    """Size and digests of some bytes, in hexadecimal; "" for those that nobody needs."""

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


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as Release lists it. Without an MD5 it is left out of that list alone."""

    size: int
    sha256: str
    md5: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What an index says of a package, and what the database has to say too."""

    name: str
    version: str
    architecture: str
    path: str
    size: int
    sha256: str


def component_of(name: str, section: str = "") -> str:
    """Where a package belongs, by its name or its Section."""
    is_debug = DEBUG_NAMES.fullmatch(name) or section.rpartition("/")[2] == "debug"
    return DEBUG if is_debug else MAIN


def pool_path(source: str, package: str, version: str, architecture: str) -> str:
    """Where a package lies below the root of the repository; the epoch is not part of it."""
    letter = source[:4] if source.startswith("lib") else source[0]
    upstream = version.partition(":")[2] or version
    return f"pool/{MAIN}/{letter}/{source}/{package}_{upstream}_{architecture}.deb"


def stanza(control: str, filename: str, found: Digests) -> bytes:
    """A package's paragraph of Packages: its control fields and where and what its file is."""
    lines = [
        control,
        f"Filename: {filename}",
        f"Size: {found.size}",
        f"MD5sum: {found.md5}",
        f"SHA256: {found.sha256}",
    ]
    return ("\n".join(lines) + "\n\n").encode()


def read_stanzas(text: bytes) -> Iterator[Known]:
    """The packages of a Packages text. Raises ValueError when one lacks a field."""
    for paragraph in text.decode().split("\n\n"):
        if not paragraph:
            continue
        fields = dict(STANZA_LINE.findall(paragraph))
        if lacking := [name for name in STANZA_FIELDS if name not in fields]:
            raise ValueError(f"a stanza lacks {lacking[0]}")
        name, version, architecture, path, size, sha256 = (fields[n] for n in STANZA_FIELDS)
        yield Known(name, version, architecture, path, int(size), sha256)


def index_path(component: str, architecture: str) -> str:
    """The address of an index below dists/<codename>/, without a suffix."""
    return f"{component}/binary-{architecture}/Packages"


def by_hash(path: str, sha256: str) -> str:
    """The address of an index that does not change when the index does."""
    return f"{path.rpartition('/')[0]}/by-hash/SHA256/{sha256}"


def release(
    suite: Suite,
    date: datetime,
    architectures: Iterable[str],
    listed: Mapping[str, Listed],
    *,
    components: Iterable[str] = COMPONENTS,
    valid_until: datetime | None = None,
) -> bytes:
    """The text that is signed. `date` has whole seconds and is not in the future.

    The plain Packages is listed although nobody fetches it: apt shows no package without its hash.
    MD5 is there for old mirror tools, which look for what they fetch.
    """
    if odd := CONTROL.search(f"{suite.origin}{suite.label}{suite.codename}"):
        raise ValueError(f"a field of a Release has one line, without {odd[0]!r}")
    lines = [
        f"Origin: {suite.origin}",
        f"Label: {suite.label}",
        f"Suite: {suite.codename}",
        f"Codename: {suite.codename}",
        f"Date: {format_datetime(date, usegmt=True)}",
    ]
    if valid_until is not None:
        lines.append(f"Valid-Until: {format_datetime(valid_until, usegmt=True)}")
    lines += [
        f"Architectures: {' '.join(architectures)}",
        f"Components: {' '.join(components)}",
        "Acquire-By-Hash: yes",
        "MD5Sum:",
    ]
    files = sorted(listed.items())
    lines += [f" {found.md5} {found.size} {path}" for path, found in files if found.md5]
    lines.append("SHA256:")
    lines += [f" {found.sha256} {found.size} {path}" for path, found in files]
    return ("\n".join(lines) + "\n").encode()


def read_fields(text: str) -> dict[str, str]:
    """The fields of a Release. Raises ValueError when one stands twice or is none of ours."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        name, colon, value = line.partition(":")
        if not colon or name in fields:
            raise ValueError(f"a Release has each field once: {name[:40]!r}")
        if name not in RELEASE_FIELDS:
            raise ValueError(f"our Release has no field {name[:40]!r}")
        fields[name] = value.strip()
    return fields


def read_listed(text: str) -> dict[str, tuple[str, int]]:
    """SHA-256 and size by path, as a Release lists them."""
    rows = (line.split() for line in text.partition("\nSHA256:\n")[2].splitlines())
    return {path: (sha256, int(size)) for sha256, size, path in rows}
