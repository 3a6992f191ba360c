"""The systems that we build for, and how their repositories are laid out. Pure.

To add one: a row here, and one in `FAMILIES` if its family is new (docs/guides/distribution.md);
nothing else names a distribution. A system stays here as long as a repository for it is served;
`ends_on` is the last day on which everybody gets security fixes for it without paying, and None
while nobody has said.
Source of the days: distro-info-data of Debian, the life cycle pages of Red Hat, Fedora and SUSE.
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
    release: str  # as os-release says it, without the part behind the dot for rpm
    format: str  # deb or rpm
    codename: str = ""
    also: str = ""
    tool: str = "apt"  # apt, dnf or zypper
    ends_on: date | None = None
    image: str = ""  # what a Dockerfile starts from

    @property
    def is_deb(self) -> bool:
        return self.format == "deb"

    @property
    def has_modules(self) -> bool:
        """Whether a module of the distribution can hide packages of ours: RHEL 8 and later."""
        return self.family == "rhel" and int(self.release) >= FIRST_WITH_MODULES

    def is_ended(self, at: date) -> bool:
        return self.ends_on is not None and self.ends_on <= at


FIRST_WITH_MODULES: Final = 8


def _debian(release: str, codename: str, ends_on: date | None = None) -> Distribution:
    name, image = f"Debian {release}", f"debian:{release}"
    return Distribution(
        f"debian-{release}",
        name,
        "debian",
        release,
        "deb",
        codename,
        ends_on=ends_on,
        image=image,
    )


def _ubuntu(release: str, codename: str, ends_on: date) -> Distribution:
    slug, name = f"ubuntu-{release.replace('.', '')}", f"Ubuntu {release}"
    image = f"ubuntu:{release}"
    return Distribution(
        slug, name, "ubuntu", release, "deb", codename, ends_on=ends_on, image=image
    )


def _rpm(
    family: str,
    name: str,
    release: str,
    ends_on: date | None,
    image: str,
    *,
    tool: str = "dnf",
    also: str = "",
) -> Distribution:
    return Distribution(
        f"{family}-{release}",
        f"{name} {release}",
        family,
        release,
        "rpm",
        also=also,
        tool=tool,
        ends_on=ends_on,
        image=image,
    )


def _rhel(release: str, ends_on: date) -> Distribution:
    image = f"redhat/ubi{release}"
    return _rpm("rhel", "RHEL", release, ends_on, image, also="Rocky, Alma, Oracle")


DISTRIBUTIONS: Final = {
    found.slug: found
    for found in [
        _debian("13", "trixie", date(2030, 6, 30)),
        _debian("12", "bookworm", date(2028, 6, 30)),
        _debian("11", "bullseye", date(2026, 8, 31)),
        _ubuntu("26.04", "resolute", date(2031, 5, 29)),
        _ubuntu("24.04", "noble", date(2029, 5, 31)),
        _ubuntu("22.04", "jammy", date(2027, 6, 1)),
        _rhel("10", date(2035, 5, 31)),
        _rhel("9", date(2032, 5, 31)),
        _rhel("8", date(2029, 5, 31)),
        _rpm("fedora", "Fedora", "44", None, "fedora:44"),
        _rpm("fedora", "Fedora", "43", date(2026, 12, 9), "fedora:43"),
        _rpm("sles", "SLES", "16", None, "registry.suse.com/bci/bci-base:16.0", tool="zypper"),
        _rpm(
            "sles",
            "SLES",
            "15",
            date(2031, 7, 31),
            "registry.suse.com/bci/bci-base:15.7",
            tool="zypper",
        ),
        _rpm(
            "opensuse",
            "openSUSE Leap",
            "16",
            date(2027, 10, 31),
            "opensuse/leap:16.0",
            tool="zypper",
        ),
    ]
}


@dataclass(frozen=True, slots=True)
class Family:
    """A distribution through all its releases."""

    os_release_ids: tuple[str, ...]  # how os-release names it, and those built to be the same
    marks: tuple[str, ...]  # how builders mark it in a version, the usual one first


# By the folder in our addresses. Marks: 1.2+maria~deb12, 1.2-1~ubuntu24.04, 1.2-1.el9.
FAMILIES: Final = {
    "debian": Family(("debian",), ("deb", "debian", "bpo")),
    "ubuntu": Family(("ubuntu",), ("ubu", "ubuntu")),
    "rhel": Family(("rhel", "rocky", "almalinux", "centos", "ol"), ("el", "rhel")),
    "fedora": Family(("fedora",), ("fc", "fedora")),
    "sles": Family(("sles", "sled", "sles_sap"), ("sles", "sle")),
    "opensuse": Family(("opensuse-leap",), ("lp", "leap", "opensuse", "suse")),
}

# What a person calls the processor, by what deb and rpm call it.
PROCESSORS: Final = {
    "x86_64": "x86_64",
    "amd64": "x86_64",
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


def usual_first(architecture: str) -> int:
    """Sorts processors as people look for them; an APT repository, for all, has none."""
    known = list(PROCESSORS)
    return known.index(architecture) if architecture in known else -1
