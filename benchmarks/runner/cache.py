"""The runner's own folder: drivers and compiled programs, apart from everything else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

WORK: Final = Path(__file__).parent / "work"
INSTALL_SECONDS: Final = 600


class CannotError(Exception):
    """Something that a driver needs is not there; the text becomes its result."""


def folder(*parts: str) -> Path:
    base = os.getenv("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "connector-bench", *parts)


def made(*parts: str) -> Path:
    found = folder(*parts)
    found.mkdir(parents=True, exist_ok=True)
    return found


def run(words: Sequence[str], *, cwd: Path | None = None) -> str:
    """Run an installer or a compiler; the end of what it complains about is the reason."""
    try:
        done = subprocess.run(
            words, check=False, cwd=cwd, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except FileNotFoundError:
        raise CannotError(f"{words[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise CannotError(f"{words[0]} took more than {INSTALL_SECONDS} s") from None
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotError(f"{Path(words[0]).name}: {' '.join(lines[-3:])[-400:]}")
    return done.stdout
