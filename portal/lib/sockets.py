"""Questions and answers between our processes, over a Unix socket: both sides use these.

A message is a head (JSON) and a body (bytes); a question may bring open files beside it. One
connection carries one question and its answer. Knows no Django.
"""

from __future__ import annotations

import json
import os
import socket
import socketserver
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

LENGTH: Final = struct.Struct(">II")  # of the head, of the body
LARGEST_HEAD: Final = 64 * 2**10
LARGEST_BODY: Final = 64 * 2**20
PIECE: Final = 2**20
LONGEST_NAME: Final = 107  # bytes of the name of a socket: unix(7)
CROWDED: Final = 0.01  # seconds until the next try where too many wait to be taken
Head = dict[str, Any]
Message = tuple[Head, bytes]


class MessageTooLongError(ValueError):
    """A message that is longer than this side takes; what is left of it was not read."""


def ask(
    address: Path, head: Head, body: bytes = b"", *, seconds: float, passed: list[int] | None = None
) -> Message:
    """The answer to a question, asked on a connection of its own.

    Raises OSError or EOFError where none comes, or a piece of it takes longer than `seconds`.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        _connect(connection, address, time.monotonic() + seconds)
        send(connection, head, body, passed or [])
        answer, reply, _ = receive(connection)
    return answer, reply


def send(connection: socket.socket, head: Head, body: bytes, passed: list[int]) -> None:
    """One message: two lengths, the head, the body; open files beside the first byte."""
    encoded = json.dumps(head).encode()
    message = LENGTH.pack(len(encoded), len(body)) + encoded
    sent = socket.send_fds(connection, [message], passed) if passed else 0
    if rest := message[sent:] + body:  # who has all may have answered and hung up already
        connection.sendall(rest)


def receive(
    connection: socket.socket,
    *,
    largest: Callable[[Head], int] = lambda head: LARGEST_BODY,
    until: float | None = None,
) -> tuple[Head, bytes, list[int]]:
    """The next message; the caller closes the files.

    `largest` says how long a body may be behind such a head, `until` (of `time.monotonic`) when all
    has to be there, however slowly it comes. Raises EOFError at the end, ValueError, OSError.
    """
    first, passed, _, _ = socket.recv_fds(connection, LENGTH.size, 1)
    try:
        lengths = first + _exactly(connection, LENGTH.size - len(first), until)
        head_length, body_length = LENGTH.unpack(lengths)
        if head_length > LARGEST_HEAD:
            raise MessageTooLongError("the message is too long")
        head = _head(_exactly(connection, head_length, until))
        if body_length > largest(head):
            raise MessageTooLongError("the message is too long")
        return head, _exactly(connection, body_length, until), passed
    except BaseException:
        for number in passed:
            os.close(number)
        raise


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Listens at `address` for its owner and group, each connection in a thread."""

    daemon_threads = True

    def __init__(self, address: Path, handler: type[socketserver.BaseRequestHandler]) -> None:
        address.unlink(missing_ok=True)
        with _name(address) as name:
            super().__init__(name, handler)
        address.chmod(0o660)


@contextmanager
def _name(address: Path) -> Iterator[str]:
    """How the kernel is told: a folder as deep as one likes is named by its open descriptor."""
    if len(os.fsencode(address)) <= LONGEST_NAME:
        yield os.fspath(address)
        return
    folder = os.open(address.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{address.name}"
    finally:
        os.close(folder)


def _connect(connection: socket.socket, address: Path, until: float) -> None:
    """A socket at which too many wait says so at once: then they wait here."""
    with _name(address) as name:
        while True:
            try:
                return connection.connect(name)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(CROWDED)


def _head(encoded: bytes) -> Any:
    try:
        return json.loads(encoded)
    except RecursionError as error:
        raise ValueError("the head of the message is too deep") from error


def _exactly(connection: socket.socket, size: int, until: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        if until is not None:
            connection.settimeout(max(until - time.monotonic(), 0.001))
        part = connection.recv(min(size - len(parts), PIECE))
        if not part:
            raise EOFError("the other side hung up")
        parts += part
    return bytes(parts)
