"""Has an untrusted package read by the inspector: confined, no environment, a deadline.

A process that takes packages in has one inspector, started with its first package and gone with it,
which reads one package at a time; so there are at most WORKER_CONCURRENCY of them.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

from releases.inspector.server import READY, STATUS

logger = logging.getLogger(__name__)

SECONDS: Final = 180
SECONDS_TO_START: Final = 60
SECONDS_TO_END: Final = 5
SHORTEST: Final = 0.1  # for what follows at once
ATTEMPTS: Final = 2
MOST_PACKAGES: Final = 200  # of one inspector: its readers share the layout of their memory
LONGEST_ANSWER: Final = 64 * 2**20
PIECE: Final = 2**16
PROGRAM: Final = "releases.inspector"
ROOT: Final = Path(__file__).resolve().parent.parent


class PackageRefusedError(Exception):
    """The package is not taken; the message is for the person who sent it."""


class InspectorUnavailableError(Exception):
    """No inspector starts here: nothing is said of the package, which waits."""


class _LostError(Exception):
    """The inspector itself ended, not the reader of the package."""


def inspect(kind: str, path: Path) -> dict[str, Any]:
    """What the inspector found in the package (deb or rpm). Raises PackageRefusedError,
    InspectorUnavailableError.
    """
    deadline = time.monotonic() + SECONDS
    with _ours.turn:
        for _ in range(ATTEMPTS):
            with contextlib.suppress(_LostError):  # somebody ended it; the package has no way to
                return _understood(*_told_of(kind, path, deadline))
    raise PackageRefusedError("the inspector ended while it read the package")


def _told_of(kind: str, path: Path, deadline: float) -> tuple[bytes, int]:
    """What a reader said, and how it ended. After one that did not end well, or after many, comes
    another inspector: nobody tries the same layout of memory twice.
    """
    inspector = _inspector()
    is_well = False
    try:
        with path.open("rb") as package:
            said, status = inspector.ask(kind, package.fileno(), deadline)
        is_well = status == 0 and inspector.asked < MOST_PACKAGES
    finally:
        if not is_well:
            end_inspector()
    return said, status


class Inspector:
    """The worker's end of the process that forks a confined reader for each package."""

    def __init__(self) -> None:
        """Raises InspectorUnavailableError."""
        self.asked = 0
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", PROGRAM],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
                cwd="/",
            )
        try:
            is_ready = self._told(len(READY), SECONDS_TO_START) == READY
        except (_LostError, TimeoutError):
            is_ready = False
        if not is_ready:
            self.end()
            raise InspectorUnavailableError("the inspector of packages does not start")

    def ask(self, kind: str, package: int, deadline: float) -> tuple[bytes, int]:
        """What the reader said, and how it ended. Raises PackageRefusedError when it says or takes
        too much, _LostError.
        """
        self.asked += 1
        answer, theirs = os.pipe()
        try:
            try:
                socket.send_fds(self._control, [kind.encode()], [package, theirs])
            except OSError:
                raise _LostError from None
            finally:
                os.close(theirs)
            said = _answer(answer, deadline)
        finally:
            os.close(answer)
        try:
            return said, STATUS.unpack(self._told(STATUS.size, deadline - time.monotonic()))[0]
        except TimeoutError:  # it closed its answer and goes on
            raise PackageRefusedError("reading the package took too long") from None

    def _told(self, size: int, seconds: float) -> bytes:
        """What the inspector itself says. Raises _LostError, TimeoutError."""
        self._control.settimeout(max(seconds, SHORTEST))
        try:
            told = self._control.recv(size)
        except ConnectionError:
            told = b""
        if not told:
            raise _LostError
        return told

    def end(self) -> None:
        """Hang up: it kills the reader that is at work, and ends."""
        self._control.close()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def forget(self) -> None:
        """In a process that was forked from ours: it is not the one to end it."""
        self._control.close()
        self.process.returncode = 0


class _Ours:
    """The inspector of this process, and whose turn it is to ask it."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.inspector: Inspector | None = None


_ours = _Ours()


def _inspector() -> Inspector:
    """A new one when there is none."""
    if _ours.inspector is None:
        _ours.inspector = Inspector()
    return _ours.inspector


@atexit.register
def end_inspector() -> None:
    """The next package starts another."""
    ended, _ours.inspector = _ours.inspector, None
    if ended is not None:
        ended.end()


def _begin_alone() -> None:
    """A process that was forked from ours has no inspector yet."""
    if _ours.inspector is not None:
        _ours.inspector.forget()
    _ours.turn, _ours.inspector = threading.Lock(), None


os.register_at_fork(after_in_child=_begin_alone)


def _answer(number: int, deadline: float) -> bytes:
    """All that the reader says before the deadline, up to a cap."""
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(number, selectors.EVENT_READ)
        while selector.select(max(deadline - time.monotonic(), 0)):
            piece = os.read(number, PIECE)
            if not piece:
                return bytes(said)
            said += piece
            if len(said) > LONGEST_ANSWER:
                raise PackageRefusedError("what the package says of itself is too long")
    raise PackageRefusedError("reading the package took too long")


def _understood(said: bytes, status: int) -> dict[str, Any]:
    if status != 0:  # killed by a limit, by the kernel or by a person
        raise PackageRefusedError("reading the package broke its limits of memory or time")
    try:
        answer: dict[str, Any] = json.loads(said)
        is_alone = answer.pop("is_alone")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PackageRefusedError("what the package says of itself cannot be read") from None
    if not is_alone:
        logger.warning(
            "the kernel has no Landlock, or no filter of system calls for this processor:"
            " a package that takes its reader over can do what our account can"
        )
    if "refused" in answer:
        raise PackageRefusedError(str(answer["refused"]))
    return answer
