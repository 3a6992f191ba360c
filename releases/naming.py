"""What the name of a file says of it: for which distributions, system and processor. Pure.

A guess, shown to the person who sends the file, who may know better.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from releases.distributions import DISTRIBUTIONS, FAMILIES, PROCESSORS, Distribution

BEFORE, AFTER = r"(?<![a-z])", r"(?![0-9])"
SYSTEMS: Final = {
    "Windows": r"\.msi$|\.exe$|(?<![a-z])win(?:dows|dows64|x64|32|64)?(?![a-z])",
    "macOS": r"\.pkg$|\.dmg$|(?<![a-z])(?:macos|darwin|osx)",
    "Linux": r"(?<![a-z])linux|systemd|\.appimage$",
}
CPUS: Final = {
    "x86_64": r"x86[_-]64|amd64|x64|win64",
    "aarch64": r"aarch64|arm64",
    "ppc64le": r"ppc64le|ppc64el",
    "s390x": r"s390x",
    "riscv64": r"riscv64",
    "armhf": r"armhf|armv7",
    "i686": r"i[3-6]86|win32|(?<![a-z0-9])x86(?![_-]?64)",
}
ARCHIVE: Final = re.compile(r"\.(?:tar\.(?:gz|xz|zst|bz2)|tgz|zip)$")


@dataclass(frozen=True, slots=True)
class Guess:
    """What a file seems to be; empty where its name does not tell."""

    distributions: tuple[str, ...] = ()
    os: str = ""
    cpu: str = ""


def package_format(name: str) -> str:
    """deb, rpm, or nothing for a plain file."""
    suffix = name.rpartition(".")[2]
    return suffix if suffix in ("deb", "rpm") else ""


def guess(name: str) -> Guess:
    """What the name of a file tells of it."""
    lower = name.lower()
    if kind := package_format(name):
        return Guess(_distributions(lower, kind), "Linux", _package_cpu(lower))
    os, cpu = _first(SYSTEMS, lower), _first(CPUS, lower)
    if not os and not cpu and ARCHIVE.search(lower):
        os = "Source"
    return Guess((), os, cpu)


def expected_name(kind: str, name: str, version: str, architecture: str) -> str:
    """How the file of a package is called; the epoch is no part of it."""
    upstream = version.partition(":")[2] or version
    if kind == "deb":
        return f"{name}_{upstream}_{architecture}.deb"
    return f"{name}-{upstream}.{architecture}.rpm"


def _distributions(name: str, kind: str) -> tuple[str, ...]:
    of_kind = [found for found in DISTRIBUTIONS.values() if found.format == kind]
    return tuple(found.slug for found in of_kind if _is_marked(name, found))


def _is_marked(name: str, found: Distribution) -> bool:
    release = re.escape(found.release).replace(r"\.", r"\.?")
    marks = "|".join(FAMILIES[found.family].marks)
    marked = rf"{BEFORE}(?:{marks})[-_]?{release}{AFTER}"
    if found.codename:
        marked += rf"|{BEFORE}{found.codename}(?![a-z])"
    return re.search(marked, name) is not None


def _package_cpu(name: str) -> str:
    """Packages say it as their last part: name_1.2_amd64.deb, name-1.2-1.x86_64.rpm."""
    stem = name.rpartition(".")[0]
    fitting = (arch for arch in PROCESSORS if stem.endswith((f".{arch}", f"_{arch}")))
    return PROCESSORS.get(next(fitting, ""), "")


def _first(patterns: dict[str, str], name: str) -> str:
    return next((word for word, pattern in patterns.items() if re.search(pattern, name)), "")
