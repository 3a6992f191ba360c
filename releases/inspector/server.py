"""Forks a process for each package: the libraries are loaded once.

The server reads no package and hears of nobody but its worker. A reader gets the package and where
to answer, nothing else that the server has open. When the worker hangs up, the server kills the
reader that is at work and ends; when the server is killed, the kernel kills the reader.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from releases.inspector.confinement import die_with

READY: Final = b"ready"
LONGEST_KIND: Final = 32
FIRST: Final = 3  # of the files that a reader keeps
STATUS: Final = struct.Struct("=i")  # as waitpid gives it; 0 is well
Read = Callable[[str], None]


def serve(control: socket.socket, read: Read) -> None:
    """Let a new process `read` each package that comes: a kind, the file, where to answer."""
    control.send(READY)
    while True:
        kind, files, _, _ = socket.recv_fds(control, LONGEST_KIND, 2)
        if not kind:
            return
        server = os.getpid()
        child = os.fork()
        if child == 0:
            _read_and_exit(server, read, kind.decode(), files)
        for number in files:
            os.close(number)
        status = _status_of(child, control)
        if status is None:
            return
        control.send(STATUS.pack(status))


def _read_and_exit(server: int, read: Read, kind: str, files: Sequence[int]) -> NoReturn:
    status = 1
    try:
        die_with(server)
        _keep_only(files)
        read(kind)
        status = 0
    finally:
        os._exit(status)


def _keep_only(files: Sequence[int]) -> None:
    """Three ends of nothing, then `files` from FIRST up: the way to the worker is closed."""
    aside = [fcntl.fcntl(number, fcntl.F_DUPFD, FIRST + len(files)) for number in files]
    for at, number in enumerate(aside, FIRST):
        os.dup2(number, at)
    os.dup2(1, 0)
    os.closerange(FIRST + len(files), os.sysconf("SC_OPEN_MAX"))


def _status_of(child: int, control: socket.socket) -> int | None:
    """How the reader ended; None when the worker hung up first."""
    reader, worker = os.pidfd_open(child), control.fileno()
    try:
        ready, _, _ = select.select([reader, worker], [], [])
    finally:
        os.close(reader)
    has_hung_up = worker in ready
    if has_hung_up:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return None if has_hung_up else status
