"""System call filters: what the inspector may ask of the kernel. Linux, two processors.

The server, which reads no package, is refused what it never needs: sockets (a network namespace
does not cut off those that have a path, such as that of the signer), other programs, the memory of
other processes. A reader is allowed what reading a package needs and refused all else: processes
and threads, signals, files for writing, memory that is code.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Final

ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH by `uname -m`
MACHINES: Final = tuple(ARCHITECTURES)
# The numbers of calls, in the order of the machines.
SERVER_REFUSED: Final[Mapping[str, tuple[int, int]]] = {
    "socket": (41, 198),
    "connect": (42, 203),
    "socketpair": (53, 199),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "io_uring_setup": (425, 425),
}
READER_ALLOWED: Final[Mapping[str, tuple[int, int]]] = {
    "read": (0, 63),
    "readv": (19, 65),
    "pread64": (17, 67),
    "lseek": (8, 62),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "stat": (4, 79),  # of older C libraries; the other processor has one call for both
    "openat": (257, 56),
    "fcntl": (72, 25),
    "close": (3, 57),
    "write": (1, 64),
    "writev": (20, 66),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "brk": (12, 214),
    "futex": (202, 98),
    "sched_yield": (24, 124),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "getrandom": (318, 278),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
# An allowed call is refused when an argument (its place) has one of these bits.
EXECUTABLE: Final = 0x4  # PROT_EXEC
FORBIDDEN_BITS: Final[Mapping[str, tuple[int, int]]] = {
    "openat": (2, os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC),
    "fcntl": (1, ~0x3 & 0xFFFFFFFF),  # flags are read, and set on a descriptor; no signal is asked
    "mmap": (2, EXECUTABLE),
    "mprotect": (2, EXECUTABLE),
}
FIRST_X32: Final = 0x40000000  # the other numbers of x86_64
PR_SET_NO_NEW_PRIVS: Final = 38
PR_SET_SECCOMP: Final = 22
MODE_FILTER: Final = 2
LOAD: Final = 0x20
JUMP_EQUAL: Final = 0x15
JUMP_FROM: Final = 0x35
JUMP_ANY_BIT: Final = 0x45
RETURN: Final = 0x06
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
KILL: Final = 0x80000000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

Step = tuple[int, int, int, int]  # code, how many to skip if so, and if not, value
Builder = Callable[[str], bytes]


class Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def server_program(machine: str) -> bytes:
    """Refuses what the server never needs."""
    at = MACHINES.index(machine)
    steps = [(JUMP_FROM, 0, 1, FIRST_X32), (RETURN, 0, 0, REFUSE)]
    for numbers in SERVER_REFUSED.values():
        steps += [(JUMP_EQUAL, 0, 1, numbers[at]), (RETURN, 0, 0, REFUSE)]
    return _assembled(machine, [*steps, (RETURN, 0, 0, ALLOW)])


def reader_program(machine: str) -> bytes:
    """Allows what a reader needs."""
    at = MACHINES.index(machine)
    steps: list[Step] = []
    for name, numbers in READER_ALLOWED.items():
        allowed = _unless_bits(*FORBIDDEN_BITS[name]) if name in FORBIDDEN_BITS else []
        allowed.append((RETURN, 0, 0, ALLOW))
        steps += [(JUMP_EQUAL, 0, len(allowed), numbers[at]), *allowed]
    return _assembled(machine, [*steps, (RETURN, 0, 0, REFUSE)])


def _unless_bits(argument: int, bits: int) -> list[Step]:
    return [
        (LOAD, 0, 0, ARGUMENTS_AT + 8 * argument),
        (JUMP_ANY_BIT, 0, 1, bits),
        (RETURN, 0, 0, REFUSE),
    ]


def _assembled(machine: str, steps: Iterable[Step]) -> bytes:
    """The filter as the kernel reads it: eight bytes for each instruction."""
    front: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in [*front, *steps])


def install(libc: ctypes.CDLL, code: bytes) -> bool:
    """Put the filter on this process and those it forks, for good; False where not allowed."""
    program = Program(len(code) // 8, code)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return bool(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) == 0)
