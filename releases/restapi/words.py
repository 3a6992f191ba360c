"""The English words that clients compare: they are part of the contract and never translated."""

from __future__ import annotations

import re
from typing import Final

STATUS: Final = {
    "preview": "Preview",
    "alpha": "Alpha",
    "beta": "Beta",
    "gamma": "Gamma",
    "rc": "RC",
    "stable": "Stable",
    "old-stable": "Old Stable",
}
SUPPORT: Final = {
    "long": "Long Term Support",
    "short": "Short Term Support",
    "rolling": "Rolling",
}
PACKAGE_TYPES: Final = {
    ".tar.gz": "gzipped tar file",
    ".tgz": "gzipped tar file",
    ".msi": "MSI Package",
    ".zip": "ZIP file",
}
SYSTEMS: Final = ("Linux", "Windows")  # and Source, for one file of a release
PROCESSORS: Final = {"amd64": "x86_64", "arm64": "aarch64", "ppc64el": "ppc64le", "i386": "x86"}
ANY_PROCESSOR: Final = {"", "all", "noarch"}
# Of packages that fit all; not null, since clients read the processor of a Linux file as text.
NOARCH: Final = "noarch"
DEBUG: Final = re.compile(r"debug|dbgsym|dbg")


def package_type(name: str) -> str | None:
    """What kind of archive a file is, by the end of its name."""
    return next((word for end, word in PACKAGE_TYPES.items() if name.endswith(end)), None)


def processor(cpu: str) -> str | None:
    """The processor in the words of the kernel; None for a file that fits all."""
    return None if cpu in ANY_PROCESSOR else PROCESSORS.get(cpu, cpu)


def is_debug(name: str) -> bool:
    """Whether a file holds debug symbols: clients take the first one that fits."""
    return DEBUG.search(name.lower()) is not None
