"""Writing the metadata of a YUM repository. Pure: fragments in, bytes out.

Each package carries its three fragments (primary, filelists, other), written once when it came in;
an index is head, fragments, tail. Format: https://github.com/rpm-software-management/createrepo_c.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.etree import ElementTree

from releases.repository.apt import gz

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
class Index:
    """One compressed metadata file and what repomd.xml says of it."""

    kind: str
    path: str
    data: bytes
    open_sha256: str
    open_size: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def index(kind: str, fragments: Sequence[str]) -> Index:
    """The metadata file of `kind`, named by its checksum so that old readers keep theirs."""
    element, spaces = NAMESPACES[kind]
    text = (
        f'{DECLARATION}<{element} {spaces} packages="{len(fragments)}">\n'
        + "".join(fragments)
        + f"</{element}>\n"
    ).encode()
    data = gz(text)
    path = f"repodata/{hashlib.sha256(data).hexdigest()}-{kind}.xml.gz"
    return Index(kind, path, data, hashlib.sha256(text).hexdigest(), len(text))


def repomd(revision: int, date: datetime, indices: Iterable[Index]) -> bytes:
    """The signed table of contents; `revision` is the serial of the publication."""
    stamp = int(date.timestamp())
    blocks = "".join(
        f'  <data type="{found.kind}">\n'
        f'    <checksum type="sha256">{found.sha256}</checksum>\n'
        f'    <open-checksum type="sha256">{found.open_sha256}</open-checksum>\n'
        f'    <location href="{found.path}"/>\n'
        f"    <timestamp>{stamp}</timestamp>\n"
        f"    <size>{len(found.data)}</size>\n"
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
