"""How the server and each of its readers shut themselves in. Nothing here can be undone.

The server is shut in before the first package comes, a reader before it reads the first byte.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from typing import Final

from releases.inspector import landlock, seccomp

MEMORY: Final = 768 * 2**20
CPU_SECONDS: Final = 120
OPEN_FILES: Final = 32
CLONE_NEWNET: Final = 0x40000000
CLONE_NEWUSER: Final = 0x10000000
PR_SET_PDEATHSIG: Final = 1
MACHINE: Final = os.uname().machine


def confine_server() -> None:
    """No network, no new file, no program, no socket, of files reading alone: for the server and
    every reader.
    """
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    # Where the kernel or a container forbids a new network namespace, the filter stands.
    _ = libc.unshare(CLONE_NEWNET) == 0 or libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    root = os.open("/", os.O_PATH)
    landlock.allow_only(libc, root)
    os.close(root)
    _filter(libc, seccomp.server_program)


def confine_reader(package: int) -> bool:
    """No more memory and time than reading one package needs, of all files only the open one
    `package`, of the kernel only what reading needs. Whether the kernel keeps all of it.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    libc = ctypes.CDLL(None, use_errno=True)
    has_one_file = landlock.allow_only(libc, package)
    return _filter(libc, seccomp.reader_program) and has_one_file


def die_with(parent: int) -> None:
    """Be killed when the process that forked this one ends, however it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


def _filter(libc: ctypes.CDLL, program: seccomp.Builder) -> bool:
    return MACHINE in seccomp.MACHINES and seccomp.install(libc, program(MACHINE))
