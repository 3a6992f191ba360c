"""What this machine is, in the words of the configuration generator."""

from __future__ import annotations

import platform
import re
import shlex
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Optional

# Systems that stand for another one, where their ID_LIKE does not say so.
MEANS = {"ol": "rhel", "sled": "sles", "sles_sap": "sles", "opensuse-leap": "opensuse"}
PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64", "ppc64le": "ppc64el"}  # of rpm, of deb
OS_RELEASE = "etc/os-release"


def os_release(root: Path) -> Dict[str, str]:
    """The names of /etc/os-release; empty where there is none."""
    try:
        text = (root / OS_RELEASE).read_text(encoding="utf-8")
    except OSError:
        return {}
    lines = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    return {name.strip(): _unquoted(value) for name, found, value in lines if found}


def _unquoted(value: str) -> str:
    try:
        return " ".join(shlex.split(value))
    except ValueError:
        return value


def slugs(told: Dict[str, str]) -> Iterator[str]:
    """What the portal may call this system, the likeliest first.

    >>> list(slugs({"ID": "ubuntu", "VERSION_ID": "24.04", "ID_LIKE": "debian"}))[:2]
    ['ubuntu-24.04', 'ubuntu-2404']
    >>> "rhel-9" in slugs({"ID": "rocky", "VERSION_ID": "9.4", "ID_LIKE": "rhel centos fedora"})
    True
    """
    version = told.get("VERSION_ID", "")
    own = told.get("ID", "")
    for name in [own, MEANS.get(own, ""), *told.get("ID_LIKE", "").split()]:
        for number in (version, version.replace(".", ""), version.partition(".")[0]):
            if name and number:
                yield f"{name}-{number}"


def distribution(told: Dict[str, str], offered: Iterable[str]) -> Optional[str]:
    """Which of the offered systems this machine is."""
    known = set(offered)
    return next((slug for slug in slugs(told) if slug in known), None)


def architecture(offered: List[str]) -> Optional[str]:
    """How the system calls the processor of this machine, if there is something for it."""
    mine = platform.machine().lower()
    words = {mine, PROCESSORS.get(mine, mine)}
    return next((word for word in offered if word in words), None)


def is_path(text: str) -> bool:
    """An absolute path that leads nowhere else."""
    return bool(re.fullmatch(r"(/[A-Za-z0-9._+-]+)+", text)) and ".." not in text.split("/")
