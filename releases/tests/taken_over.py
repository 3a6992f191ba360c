"""The inspector with a reader that every package takes over: it runs the package as a program.

`python -m releases.tests.taken_over` in place of `releases.inspector`. Server and confinement are
the real ones, only the reading is not. What a program may use is loaded before it comes.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from releases.inspector import reader
from releases.inspector.__main__ import main

LIBC = ctypes.CDLL(None, use_errno=True)
LIBRARIES = {
    library.__name__: library for library in (ctypes, fcntl, mmap, os, signal, socket, threading)
}


def inspect(stream: BinaryIO, size: int) -> dict[str, object]:
    known: dict[str, object] = {**LIBRARIES, "call": call, "allowed": allowed}
    exec(stream.read(), known)  # noqa: S102  (confined: this is what is tried)
    return {"found": known["found"]}


def call(name: str, *arguments: object) -> int:
    """A function of the C library. Raises OSError."""
    answer: int = getattr(LIBC, name)(*arguments)
    if answer == -1:
        raise OSError(ctypes.get_errno(), name)
    return answer


def allowed(attempts: dict[str, Callable[[], object]]) -> list[str]:
    """Those that the kernel did not refuse, whether they came to something or not."""
    return [name for name, attempt in attempts.items() if not _is_refused(attempt)]


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except RuntimeError as error:
        return "start new thread" in str(error)
    except OSError:
        return False
    return False


if __name__ == "__main__":
    reader.READERS.update(deb="releases.tests.taken_over", rpm="releases.tests.taken_over")
    sys.exit(main())
