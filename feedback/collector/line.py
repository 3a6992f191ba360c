"""A connection to one server, which never waits: who looks after many calls it when it can go on.

The event loop of the standard library costs twice as much for each server as all that is said
on its line. So there are plain sockets here, and one selector for all of them in `gather.py`.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, cast

from . import packets
from .talk import Protect, Talk

LIMIT: Final = 8 * 2**20  # bytes of an answer
PIECE: Final = 128 * 2**10  # bytes that are read at once
Place = tuple[int, Any]  # family of the address, address
_TOO_EARLY: Final = "the server speaks before the line is protected"


class Line:
    """Where a talk is held. The socket is only waited on for reading: the server speaks first, and
    what is sent fits into what the system holds for a line.
    """

    def __init__(self, name: str, talk: Talk[str], tls: ssl.SSLContext | None) -> None:
        self._name, self._talk, self._tls = name, talk, tls
        self._places: deque[Place] = deque()
        self._buffer = bytearray()
        self._received = 0  # bytes since we last said something
        self._is_greeted = self._in_handshake = False

    def start(self, places: Iterable[Place]) -> int:
        """Begin to connect where the server may be; the number of the socket."""
        self._places.extend(places)
        next(self._talk)
        return self.connect()

    def connect(self) -> int:
        """Begin to connect to the next of its places that takes us."""
        while True:
            family, address = self._places.popleft()
            self._socket = socket.socket(family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
            number = self._socket.connect_ex(address)
            if number in {0, errno.EINPROGRESS}:
                return self._socket.fileno()
            self._socket.close()
            if not self._places:
                raise OSError(number, os.strerror(number))

    def may_be_elsewhere(self) -> bool:
        """Whether nobody has spoken here, and the name has another address."""
        return not self._is_greeted and bool(self._places)

    def go_on(self) -> str | None:
        """Take what has come, and answer; the report when it is whole."""
        if self._in_handshake and not self._shake_hands():
            return None
        with suppress(ssl.SSLWantReadError, BlockingIOError):
            while True:
                self._take(self._socket.recv(PIECE))
                if (report := self._hear()) is not None:
                    return report
                if not (isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()):
                    break
        return None

    def close(self, *, politely: bool = False) -> None:
        if politely:
            with suppress(OSError):
                self._socket.send(packets.framed(packets.QUIT, 0))
        self._socket.close()

    def _take(self, data: bytes) -> None:
        if not data:
            raise ConnectionError("the server closed the connection")
        self._buffer += data
        self._is_greeted = True
        self._received += len(data)
        if self._received > LIMIT:
            raise packets.ProtocolError("the answer is too large")

    def _hear(self) -> str | None:
        """Hand on the packets that are whole, each for what is said to it."""
        at, buffer = 0, self._buffer
        try:
            while len(buffer) - at >= 4:
                end = at + 4 + int.from_bytes(buffer[at : at + 3], "little")
                if len(buffer) < end:
                    break
                with memoryview(buffer) as view:  # so that a report is copied once
                    packet = bytes(view[at + 4 : end])
                at = end
                said = self._answer_to(packet)
                if isinstance(said, Protect):
                    if self._tls is None or at < len(buffer):
                        raise packets.ProtocolError(_TOO_EARLY)
                    self._protect(said, self._tls)
                elif said:
                    self._send(said)
        except StopIteration as end_of_talk:
            return str(end_of_talk.value)
        except (IndexError, UnicodeDecodeError) as error:
            raise packets.ProtocolError("a packet that makes no sense") from error
        del buffer[:at]
        return None

    def _answer_to(self, packet: bytes) -> bytes | Protect:
        if not packet:
            raise packets.ProtocolError("an empty packet")
        if packet[0] == packets.ERROR:
            return self._talk.throw(packets.error(packet))
        return self._talk.send(packet)

    def _send(self, data: bytes) -> None:
        self._received = 0
        if self._socket.send(data) < len(data):
            raise ConnectionError("the line takes nothing")

    # --- TLS ---

    def _protect(self, said: Protect, tls: ssl.SSLContext) -> None:
        self._send(said.data)
        if self._socket.family != socket.AF_UNIX:  # several small things are said in a row
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = tls.wrap_socket(
            self._socket, do_handshake_on_connect=False, server_hostname=self._name
        )
        self._in_handshake = True
        self._shake_hands()

    def _shake_hands(self) -> bool:
        """Go on with the handshake; when it is done, what was to be said first."""
        try:
            cast(ssl.SSLSocket, self._socket).do_handshake()
        except ssl.SSLWantReadError:
            return False
        self._in_handshake = False
        self._send(cast(bytes, next(self._talk)))
        return True
