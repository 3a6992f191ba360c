"""Runs the inspector on an untrusted package: own process, limits, no environment, a deadline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 180
LONGEST_ANSWER: Final = 64 * 2**20
ROOT: Final = Path(__file__).resolve().parent.parent


class PackageRefusedError(Exception):
    """The package is not taken; the message is for the person who sent it."""


def inspect(kind: str, path: Path) -> dict[str, Any]:
    """What the inspector found in the package (deb or rpm). Raises PackageRefusedError."""
    command = [sys.executable, "-P", "-m", "releases.inspector", kind]
    with path.open("rb") as package:
        try:
            done = subprocess.run(
                command,
                stdin=package,
                capture_output=True,
                timeout=SECONDS,
                env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
                cwd="/",
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise PackageRefusedError("reading the package took too long") from None
    if done.returncode != 0 or len(done.stdout) > LONGEST_ANSWER:
        raise PackageRefusedError("reading the package broke its limits of memory or time")
    answer: dict[str, Any] = json.loads(done.stdout)
    if "refused" in answer:
        raise PackageRefusedError(str(answer["refused"]))
    return answer
