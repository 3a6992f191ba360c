"""`python -m releases.inspector deb|rpm`: the package on standard input, JSON on standard output.

This process limits itself before it reads the first byte, and knows no Django, no database and no
path of the package.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import resource
import sys
from collections.abc import Callable
from typing import BinaryIO, Final

from releases.inspector import landlock, seccomp

MEMORY: Final = 768 * 2**20
CPU_SECONDS: Final = 120
OPEN_FILES: Final = 32
CLONE_NEWNET: Final = 0x40000000
CLONE_NEWUSER: Final = 0x10000000

Answer = dict[str, object]
Reader = Callable[[BinaryIO, int], Answer]


def confine(package: int) -> bool:
    """No more memory, time, files or network than reading one package needs: of all files only
    the open one `package`. Whether the kernel keeps it from the others.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    # Where the kernel or a container forbids a new network namespace, the other limits stand.
    _ = libc.unshare(CLONE_NEWNET) == 0 or libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    is_alone = landlock.allow_only(libc, package)
    seccomp.forbid(libc)  # no signer's socket either, which a namespace leaves reachable
    return is_alone


# Only the reader that is asked for is loaded: most of an inspector's life is its start.
READERS: Final = {"deb": "releases.inspector.debs", "rpm": "releases.inspector.rpms"}


def reader_of(kind: str) -> Reader:
    """The function that reads packages of this kind. Raises KeyError."""
    reader: Reader = importlib.import_module(READERS[kind]).inspect
    return reader


def answer_of(read: Reader, stream: BinaryIO) -> Answer:
    """What is told of the package: what it says of itself, or why it is refused."""
    try:
        return read(stream, os.fstat(stream.fileno()).st_size)
    except (ValueError, MemoryError, RecursionError) as error:
        return {"refused": str(error) or "reading the package takes too much memory"}
    except Exception as error:  # createrepo_c's own errors: the package cannot be read
        return {"refused": f"the package cannot be read ({type(error).__name__})"}


def main(kind: str) -> int:
    read = reader_of(kind)  # no library can be opened afterwards
    stream = sys.stdin.buffer
    is_alone = confine(stream.fileno())
    answer = answer_of(read, stream) | {"is_alone": is_alone}
    with contextlib.suppress(BrokenPipeError):
        json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
