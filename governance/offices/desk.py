"""The socket of an office: each connection brings one question and takes one answer.

Many connections are served at once, each for a limited time, however slowly the other side reads or
writes. What is asked is never written to the log: it could be a ballot.
"""

from __future__ import annotations

import logging
import os
import socket
import socketserver
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from governance.offices.asking import OfficeRefusedError, OfficeUnavailableError
from governance.offices.keys import FolderTakenError, KeyUnsafeError
from portal.lib import sockets
from portal.lib.sockets import Head, Message, MessageTooLongError, receive, send

logger = logging.getLogger("governance.offices")

SECONDS: Final = 10.0  # for a whole question, and for taking a whole answer
CONNECTIONS: Final = 512
LARGEST: Final = 2**20  # bytes of a question
LARGEST_MANIFEST: Final = 32 * 2**20
QUIET: Final = 60.0  # seconds between two lines about faults, so that no line is of one question
Answer = Callable[[Head, bytes], Message]
NOT_UNDERSTOOD: Final = {"refused": "question", "message": "this question is not understood"}


def largest(head: Any) -> int:
    """How long the body of a question may be."""
    is_manifest = isinstance(head, dict) and head.get("verb") == "open"
    return LARGEST_MANIFEST if is_manifest else LARGEST


class Desk(socketserver.BaseRequestHandler):
    """One connection: a question, an answer."""

    server: Server
    request: socket.socket

    def handle(self) -> None:
        until = time.monotonic() + self.server.seconds
        try:
            head, body, passed = receive(self.request, largest=largest, until=until)
            for number in passed:
                os.close(number)
        except (EOFError, OSError):
            pass  # somebody only looked whether we are here, or was too slow
        except MessageTooLongError as error:
            self._hang_up({"refused": "question", "message": str(error)})
        except ValueError:
            self._hang_up(NOT_UNDERSTOOD)
        else:
            self._send(*self.server.answer(head, body))

    def _send(self, answer: Head, reply: bytes) -> None:
        self.request.settimeout(self.server.seconds)
        with suppress(OSError):  # who went away asks again
            send(self.request, answer, reply, [])

    def _hang_up(self, answer: Head) -> None:
        """Answer a question that was not read to its end; closing at once would tear that away."""
        self._send(answer, b"")
        until = time.monotonic() + 1
        with suppress(OSError):
            self.request.shutdown(socket.SHUT_WR)
            self.request.settimeout(1)
            while time.monotonic() < until and self.request.recv(2**16):
                continue


class Server(sockets.Server):
    """`verbs` answer; what they raise is told or kept for us."""

    request_queue_size = CONNECTIONS
    seconds = SECONDS

    def __init__(self, address: Path, verbs: dict[str, Answer]) -> None:
        self._verbs = verbs
        self._room = threading.BoundedSemaphore(CONNECTIONS)
        self._quiet_until = 0.0
        super().__init__(address, Desk)

    def answer(self, head: Any, body: bytes) -> Message:
        try:
            verb = self._verbs[head["verb"]]
        except (KeyError, TypeError):
            return NOT_UNDERSTOOD, b""
        try:
            return verb(head, body)
        except OfficeRefusedError as error:
            return {"refused": error.code, "message": error.message}, b""
        except (KeyError, TypeError, ValueError, psycopg.DataError):
            return NOT_UNDERSTOOD, b""
        except OfficeUnavailableError as error:
            return {"busy": str(error)}, b""
        except (KeyUnsafeError, FolderTakenError) as error:
            self._tell(str(error))
            return {"busy": "the office has to be looked after: see its log"}, b""
        except Exception as error:  # of the database, or ours; its words could hold a ballot
            self._tell(f"{type(error).__name__} {_where(error)}")
            return {"busy": "this did not work now: ask again"}, b""

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread; where too many are there already, not at all."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with suppress(OSError):
            request.settimeout(0)
            send(request, {"busy": "too many ask at the same moment: ask again"}, b"", [])
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Of the connection, not of the question: nothing that anybody has to do."""

    def _tell(self, text: str) -> None:
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + QUIET
            logger.error("%s (further faults of this minute are not told)", text)


def _where(error: Exception) -> str:
    """The line of code alone."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"in {frames[-1].filename} line {frames[-1].lineno}" if frames else ""
