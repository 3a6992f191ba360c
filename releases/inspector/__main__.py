"""`python -m releases.inspector deb|rpm`: the package on standard input, JSON on standard output.

This process limits itself before it reads the first byte, and knows no Django, no database and no
path of the package. createrepo_c (GPL) is used here and nowhere else in the portal.
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
from releases.repository import deb, rpm, yum

MEMORY: Final = 768 * 2**20
CPU_SECONDS: Final = 120
OPEN_FILES: Final = 32
CLONE_NEWNET: Final = 0x40000000
CLONE_NEWUSER: Final = 0x10000000
MOST_FILES: Final = 200_000

Answer = dict[str, object]


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


def inspect_deb(stream: BinaryIO, size: int) -> Answer:
    control = deb.read(stream, size)
    source = control.fields.get("Source", control.package).split(" ")[0]
    if not deb.PACKAGE.fullmatch(source):
        raise deb.DebError("the source name is not allowed: use a-z, 0-9 and + . -")
    return {
        "name": control.package,
        "version": control.version,
        "architecture": control.architecture,
        "source": source,
        "section": control.fields.get("Section", ""),
        "control": control.text,
    }


def inspect_rpm(stream: BinaryIO, size: int) -> Answer:
    import createrepo_c  # loaded by `main` before the confinement

    outside = rpm.check(stream)
    found = createrepo_c.package_from_rpm(f"/proc/self/fd/{stream.fileno()}")
    nevra = yum.Nevra(found.name, found.epoch or "0", found.version, found.release, found.arch)
    if len(found.files) > MOST_FILES:
        raise rpm.RpmError("the rpm lists too many files")
    found.location_href = nevra.location
    found.time_file = found.time_build
    primary, filelists, other = createrepo_c.xml_dump(found)
    return {
        "name": nevra.name,
        "version": nevra.full_version,
        "architecture": nevra.architecture,
        "location": nevra.location,
        "primary": primary,
        "filelists": filelists,
        "other": other,
        "signed": rpm.signature_of(outside) is not None,
    }


INSPECTORS: Final[dict[str, Callable[[BinaryIO, int], Answer]]] = {
    "deb": inspect_deb,
    "rpm": inspect_rpm,
}


def answer_of(kind: str, stream: BinaryIO) -> Answer:
    """What is told of the package: what it says of itself, or why it is refused."""
    try:
        return INSPECTORS[kind](stream, os.fstat(stream.fileno()).st_size)
    except (ValueError, MemoryError, RecursionError) as error:
        return {"refused": str(error) or "reading the package takes too much memory"}
    except Exception as error:  # createrepo_c's own errors: the package cannot be read
        return {"refused": f"the package cannot be read ({type(error).__name__})"}


def main(kind: str) -> int:
    if kind == "rpm":
        importlib.import_module("createrepo_c")  # no library can be opened afterwards
    stream = sys.stdin.buffer
    is_alone = confine(stream.fileno())
    answer = answer_of(kind, stream) | {"is_alone": is_alone}
    with contextlib.suppress(BrokenPipeError):
        json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
