"""Landlock: from here on this process opens no file but the one it was handed. Linux 5.13.

The kernel's own list of what a process may do with files; it needs no privilege and no namespace.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every processor
ASK_VERSION: Final = 1
PATH_BENEATH: Final = 1
READ_FILE: Final = 1 << 2
# By version of the interface: how many kinds of access to files it knows, from bit 0 up.
KINDS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
NEWEST_KINDS: Final = 16
PR_SET_NO_NEW_PRIVS: Final = 38


def version(libc: ctypes.CDLL) -> int:
    """The version of the kernel's interface; 0 where it has none or it is switched off."""
    found: int = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(ASK_VERSION))
    return max(found, 0)


def allow_only(libc: ctypes.CDLL, file: int) -> bool:
    """Let this process open the open file `file` again and nothing else; False if it cannot."""
    known = version(libc)
    if not known:
        return False
    every = (1 << KINDS.get(known, NEWEST_KINDS)) - 1
    attributes = struct.pack("=Q", every)
    ruleset = libc.syscall(
        CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
    )
    if ruleset < 0:
        return False
    rule = struct.pack("=Qi", READ_FILE, file)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done: bool = (
        libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, ctypes.c_uint(0)) == 0
        and libc.syscall(RESTRICT_SELF, ruleset, ctypes.c_uint(0)) == 0
    )
    os.close(ruleset)
    return done
