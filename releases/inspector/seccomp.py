"""A system call filter: no sockets, no other programs, no other process. Linux, two processors.

A network namespace does not cut off Unix sockets that have a path, such as that of the signer.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final

# By `uname -m`: AUDIT_ARCH and the numbers of socket, connect, socketpair, execve, execveat,
# ptrace, process_vm_writev, pidfd_getfd, io_uring_setup.
REFUSED: Final[dict[str, tuple[int, tuple[int, ...]]]] = {
    "x86_64": (0xC000003E, (41, 42, 53, 59, 322, 101, 311, 438, 425)),
    "aarch64": (0xC00000B7, (198, 203, 199, 221, 281, 117, 271, 438, 425)),
}
FIRST_X32: Final = 0x40000000  # the other numbers of x86_64
PR_SET_NO_NEW_PRIVS: Final = 38
PR_SET_SECCOMP: Final = 22
MODE_FILTER: Final = 2
LOAD: Final = 0x20
JUMP_EQUAL: Final = 0x15
JUMP_FROM: Final = 0x35
RETURN: Final = 0x06
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
KILL: Final = 0x80000000
NUMBER_AT, ARCHITECTURE_AT = 0, 4


class Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def program(architecture: int, refused: tuple[int, ...]) -> bytes:
    """The filter as the kernel reads it: eight bytes for each instruction."""
    count = len(refused)
    steps = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_FROM, count + 1, 0, FIRST_X32),
        *((JUMP_EQUAL, count - at, 0, number) for at, number in enumerate(refused)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def forbid(libc: ctypes.CDLL) -> bool:
    """Install the filter for this process, for good; False where it is not known or not allowed."""
    known = REFUSED.get(os.uname().machine)
    if known is None:
        return False
    code = program(*known)
    filter_ = Program(len(code) // 8, code)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_), 0, 0) == 0)
