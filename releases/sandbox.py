"""Runs the inspector on an untrusted package: own process, limits, no environment, a deadline.

One worker process has one inspector at a time, so there are at most WORKER_CONCURRENCY of them.
"""

from __future__ import annotations

import json
import logging
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

logger = logging.getLogger(__name__)

SECONDS: Final = 180
LONGEST_ANSWER: Final = 64 * 2**20
PIECE: Final = 2**16
ROOT: Final = Path(__file__).resolve().parent.parent


class PackageRefusedError(Exception):
    """The package is not taken; the message is for the person who sent it."""


def inspect(kind: str, path: Path) -> dict[str, Any]:
    """What the inspector found in the package (deb or rpm). Raises PackageRefusedError."""
    command = [sys.executable, "-P", "-m", "releases.inspector", kind]
    with (
        path.open("rb") as package,
        subprocess.Popen(
            command,
            stdin=package,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            cwd="/",
        ) as process,
    ):
        try:
            said = _answer(process, time.monotonic() + SECONDS)
        finally:
            process.kill()
    return _understood(said, process.returncode)


def _answer(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """All that the inspector says before the deadline, up to a cap; then it has ended."""
    assert process.stdout is not None  # noqa: S101  (Popen was asked for a pipe)
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(deadline - time.monotonic(), 0)):
            piece = os.read(process.stdout.fileno(), PIECE)
            if not piece:
                _await_end(process, deadline)
                return bytes(said)
            said += piece
            if len(said) > LONGEST_ANSWER:
                raise PackageRefusedError("what the package says of itself is too long")
    raise PackageRefusedError("reading the package took too long")


def _await_end(process: subprocess.Popen[bytes], deadline: float) -> None:
    """It may have closed its output and go on."""
    try:
        process.wait(max(deadline - time.monotonic(), 1))
    except subprocess.TimeoutExpired:
        raise PackageRefusedError("reading the package took too long") from None


def _understood(said: bytes, status: int) -> dict[str, Any]:
    if status != 0:  # killed by a limit, by the kernel or by a person
        raise PackageRefusedError("reading the package broke its limits of memory or time")
    try:
        answer: dict[str, Any] = json.loads(said)
        is_alone = answer.pop("is_alone")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PackageRefusedError("what the package says of itself cannot be read") from None
    if not is_alone:
        logger.warning("the kernel has no Landlock: the inspector can read what its account can")
    if "refused" in answer:
        raise PackageRefusedError(str(answer["refused"]))
    return answer
