"""The systems that we build for, and how their repositories are laid out. Pure.

To add one: a row here. Nothing else names a distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Distribution:
    """One release of one distribution."""

    slug: str
    name: str
    family: str  # the folder in our addresses
    release: str
    format: str  # deb or rpm
    codename: str = ""
    also: str = ""
    tool: str = "apt"  # apt, dnf or zypper
    ends_on: date | None = None

    @property
    def is_deb(self) -> bool:
        return self.format == "deb"


DISTRIBUTIONS: Final = {
    found.slug: found
    for found in [
        Distribution(
            "debian-13", "Debian 13", "debian", "13", "deb", "trixie", ends_on=date(2030, 6, 30)
        ),
        Distribution(
            "debian-12", "Debian 12", "debian", "12", "deb", "bookworm", ends_on=date(2028, 6, 30)
        ),
        Distribution(
            "debian-11", "Debian 11", "debian", "11", "deb", "bullseye", ends_on=date(2026, 8, 31)
        ),
        Distribution(
            "ubuntu-2404",
            "Ubuntu 24.04",
            "ubuntu",
            "24.04",
            "deb",
            "noble",
            ends_on=date(2029, 5, 31),
        ),
        Distribution(
            "ubuntu-2204",
            "Ubuntu 22.04",
            "ubuntu",
            "22.04",
            "deb",
            "jammy",
            ends_on=date(2027, 6, 1),
        ),
        Distribution(
            "rhel-10",
            "RHEL 10",
            "rhel",
            "10",
            "rpm",
            also="Rocky, Alma",
            tool="dnf",
            ends_on=date(2035, 5, 31),
        ),
        Distribution(
            "rhel-9",
            "RHEL 9",
            "rhel",
            "9",
            "rpm",
            also="Rocky, Alma",
            tool="dnf",
            ends_on=date(2032, 5, 31),
        ),
        Distribution(
            "fedora-43", "Fedora 43", "fedora", "43", "rpm", tool="dnf", ends_on=date(2026, 12, 2)
        ),
        Distribution(
            "sles-15", "SLES 15", "sles", "15", "rpm", tool="zypper", ends_on=date(2031, 7, 31)
        ),
        Distribution(
            "opensuse-16",
            "openSUSE Leap 16",
            "opensuse",
            "16",
            "rpm",
            tool="zypper",
            ends_on=date(2027, 10, 31),
        ),
    ]
}

# What a person calls the processor, by what deb and rpm call it.
PROCESSORS: Final = {
    "amd64": "x86_64",
    "x86_64": "x86_64",
    "arm64": "aarch64",
    "aarch64": "aarch64",
    "i386": "i686",
    "i686": "i686",
    "armhf": "armhf",
    "ppc64el": "ppc64le",
    "ppc64le": "ppc64le",
    "riscv64": "riscv64",
    "s390x": "s390x",
}
EVERY_PROCESSOR: Final = frozenset({"all", "noarch"})
# Where a package for every processor is offered when nothing else is published yet.
DEFAULT_ARCHITECTURES: Final = {"deb": ("amd64", "arm64"), "rpm": ("x86_64", "aarch64")}
