"""Writing the metadata of a YUM repository. Pure: fragments in, bytes out.

Each package carries its three fragments (primary, filelists, other), written once when it was
signed; an index is head, fragments, tail. Format: https://github.com/rpm-software-management/createrepo_c.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.etree import ElementTree

from releases.repository.apt import Known

KINDS: Final = ("primary", "filelists", "other")
NAMESPACES: Final = {
    "primary": (
        "metadata",
        'xmlns="http://linux.duke.edu/metadata/common"'
        ' xmlns:rpm="http://linux.duke.edu/metadata/rpm"',
    ),
    "filelists": ("filelists", 'xmlns="http://linux.duke.edu/metadata/filelists"'),
    "other": ("otherdata", 'xmlns="http://linux.duke.edu/metadata/other"'),
}
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
REPOMD: Final = "repodata/repomd.xml"
REPO_SPACE: Final = "{http://linux.duke.edu/metadata/repo}"

ARCHITECTURES: Final = ("aarch64", "i686", "noarch", "ppc64le", "s390x", "x86_64")
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,127}")
VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_~^]{0,63}")


class NevraError(ValueError):
    """A name, version or architecture that we do not take."""


@dataclass(frozen=True, slots=True)
class Nevra:
    """What identifies an rpm. Raises NevraError for what is not on the allow-list."""

    name: str
    epoch: str
    version: str
    release: str
    architecture: str

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name) or ".." in self.name:
            raise NevraError("the package name is not allowed: use letters, digits and + . _ -")
        for value in (self.version, self.release):
            if not VERSION.fullmatch(value) or ".." in value:
                raise NevraError("version and release take letters, digits and . + _ ~ ^")
        if not (self.epoch.isascii() and self.epoch.isdigit() and len(self.epoch) < 10):
            raise NevraError("the epoch is a number")
        if self.architecture not in ARCHITECTURES:
            raise NevraError(f"the architecture must be one of {', '.join(ARCHITECTURES)}")

    @property
    def full_version(self) -> str:
        epoch = "" if self.epoch == "0" else f"{self.epoch}:"
        return f"{epoch}{self.version}-{self.release}"

    @property
    def location(self) -> str:
        """Where the package lies below the root of the repository."""
        name = f"{self.name}-{self.version}-{self.release}.{self.architecture}.rpm"
        return f"packages/{self.name[0].lower()}/{name}"


@dataclass(frozen=True, slots=True)
class Listed:
    """A compressed metadata file as repomd.xml lists it."""

    kind: str
    sha256: str
    size: int
    open_sha256: str
    open_size: int

    @property
    def path(self) -> str:
        """Named by its checksum, so that old readers keep theirs."""
        return f"repodata/{self.sha256}-{self.kind}.xml.gz"


def head(kind: str, packages: int) -> bytes:
    """What stands before the fragments of the packages."""
    element, spaces = NAMESPACES[kind]
    return f'{DECLARATION}<{element} {spaces} packages="{packages}">\n'.encode()


def tail(kind: str) -> bytes:
    return f"</{NAMESPACES[kind][0]}>\n".encode()


def read_fragments(kind: str, text: bytes) -> Iterator[Known]:
    """The packages of a part of an index; only primary says where and how large their files are.

    Raises ValueError.
    """
    whole = head(kind, 0) + text + tail(kind)
    try:
        root = ElementTree.fromstring(whole)  # noqa: S314  (createrepo_c wrote it, for us)
        yield from (_known(kind, block) for block in root)
    except (ElementTree.ParseError, AttributeError, KeyError) as error:
        raise ValueError(f"not {kind} metadata: {error}") from None


def _known(kind: str, block: ElementTree.Element) -> Known:
    space = NAMESPACES[kind][1].split('"')[1]
    version = block.find(f"{{{space}}}version").attrib  # type: ignore[union-attr]
    epoch = "" if version["epoch"] == "0" else f"{version['epoch']}:"
    full = f"{epoch}{version['ver']}-{version['rel']}"
    if kind != "primary":
        return Known(block.attrib["name"], full, block.attrib["arch"], "", 0, block.attrib["pkgid"])
    return Known(
        block.findtext(f"{{{space}}}name", ""),
        full,
        block.findtext(f"{{{space}}}arch", ""),
        block.find(f"{{{space}}}location").attrib["href"],  # type: ignore[union-attr]
        int(block.find(f"{{{space}}}size").attrib["package"]),  # type: ignore[union-attr]
        block.findtext(f"{{{space}}}checksum", ""),
    )


def repomd(revision: int, date: datetime, indices: Iterable[Listed]) -> bytes:
    """The signed table of contents; `revision` is the serial of the publication."""
    stamp = int(date.timestamp())
    blocks = "".join(
        f'  <data type="{found.kind}">\n'
        f'    <checksum type="sha256">{found.sha256}</checksum>\n'
        f'    <open-checksum type="sha256">{found.open_sha256}</open-checksum>\n'
        f'    <location href="{found.path}"/>\n'
        f"    <timestamp>{stamp}</timestamp>\n"
        f"    <size>{found.size}</size>\n"
        f"    <open-size>{found.open_size}</open-size>\n"
        "  </data>\n"
        for found in indices
    )
    return (
        f'{DECLARATION}<repomd xmlns="http://linux.duke.edu/metadata/repo">\n'
        f"  <revision>{revision}</revision>\n{blocks}</repomd>\n"
    ).encode()


def read_repomd(data: bytes) -> tuple[int, int, Mapping[str, str]]:
    """Revision, newest timestamp, and sha256 by path of a repomd.xml. Raises ValueError."""
    if b"<!" in data:
        raise ValueError("a repomd.xml needs no document type")
    try:
        root = ElementTree.fromstring(data)  # noqa: S314  (no document type: no entities)
    except ElementTree.ParseError as error:
        raise ValueError(f"not a repomd.xml: {error}") from None
    revision = root.findtext(f"{REPO_SPACE}revision", "")
    listed: dict[str, str] = {}
    stamps = [0]
    for block in root.iter(f"{REPO_SPACE}data"):
        place = block.find(f"{REPO_SPACE}location")
        href = "" if place is None else place.get("href", "")
        listed[href] = block.findtext(f"{REPO_SPACE}checksum", "")
        stamps.append(int(block.findtext(f"{REPO_SPACE}timestamp", "0")))
    return int(revision), max(stamps), listed
