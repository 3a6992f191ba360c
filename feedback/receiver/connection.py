"""One connection of the receiver: read a request within limits, answer it, or say nothing."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from feedback import inbox
from feedback.receiver import reply
from feedback.receiver.request import BadRequestError, Head, is_report, parse_head
from feedback.receiver.store import Store

logger = logging.getLogger(__name__)

BODY_LIMIT: Final = 256 * 1024
HEAD_LIMIT: Final = 16 * 1024
DRAIN_LIMIT: Final = 16 * 2**20  # of a body that is refused
DEADLINE: Final = 30.0  # seconds for a whole request
LINGER: Final = 2.0  # seconds that an answered sender may go on sending
CONNECTIONS: Final = 4_000
BUFFERED: Final = 64 * 2**20  # bytes of all requests that are not whole yet
PLUGIN: Final = "mariadb user feedback plugin"


@dataclass(slots=True)
class Receiver:
    """What all connections share."""

    store: Store
    pepper: bytes
    connections: set[Connection] = field(default_factory=set)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    buffered: int = 0  # bytes that wait in the buffers of all connections


class Connection(asyncio.Protocol):
    """Bytes in, at most one answer out. No byte leaves for a report that could not be stored."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._buffer = bytearray()
        self._charged = 0  # bytes of the buffer that the receiver counts
        self._consume: Callable[[], None] = self._read_head
        self._head = Head(b"", {})
        self._length = 0
        self._dropped = 0
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if len(self._receiver.connections) >= CONNECTIONS:
            self._transport.abort()
            return
        self._receiver.connections.add(self)
        self._deadline = asyncio.get_running_loop().call_later(DEADLINE, self._transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self in self._receiver.connections:
            self._receiver.connections.discard(self)
            self._deadline.cancel()
            self._buffer.clear()
            self._charge()

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return  # aborted, or answered and closed
        self._buffer += data
        self._consume()
        self._charge()
        if self._receiver.buffered > BUFFERED:
            logger.warning("a connection was cut: requests in progress fill %d bytes", BUFFERED)
            self._transport.abort()

    def _charge(self) -> None:
        """Count what the buffer holds now among the bytes of all connections."""
        self._receiver.buffered += len(self._buffer) - self._charged
        self._charged = len(self._buffer)

    def eof_received(self) -> bool:
        """A sender may close its side as soon as it has sent everything; the answer still goes."""
        if self._consume == self._wait and not self._answered:
            return True
        self._transport.close()
        return False

    def close_if_idle(self) -> None:
        """At the end of the process: cut those who have not sent a whole request."""
        if self._consume != self._wait:
            self._transport.abort()

    # --- reading ---

    def _read_head(self) -> None:
        raw, empty_line, rest = self._buffer.partition(b"\r\n\r\n")
        if not empty_line:
            if len(self._buffer) > HEAD_LIMIT:
                self._refuse("malformed", reply.MALFORMED)
            return
        self._buffer = rest
        try:
            self._head = parse_head(bytes(raw))
            if not is_report(self._head.line):
                self._answer_others()
                return
            self._length = self._head.length
        except BadRequestError:
            self._refuse("malformed", reply.MALFORMED)
            return
        if self._length > BODY_LIMIT:
            self._consume = self._drop_body
        else:
            self._consume = self._read_body
            if self._head.headers.get("expect", "").lower() == "100-continue":
                self._transport.write(reply.CONTINUE)
        self._consume()

    def _read_body(self) -> None:
        if len(self._buffer) >= self._length:
            self._consume = self._wait
            body = bytes(self._buffer[: self._length])
            self._buffer.clear()
            task = asyncio.create_task(self._keep(body))
            self._receiver.tasks.add(task)
            task.add_done_callback(self._receiver.tasks.discard)

    def _drop_body(self) -> None:
        """A server reads no answer before it has sent all; so its body is read and forgotten."""
        self._dropped += len(self._buffer)
        self._buffer.clear()
        if self._dropped >= min(self._length, DRAIN_LIMIT):
            self._refuse("too_large", reply.TOO_LARGE)

    def _wait(self) -> None:
        """What follows a whole request is not read."""
        self._buffer.clear()

    # --- answering ---

    def _answer_others(self) -> None:
        line = self._head.line.split(b" ")
        live = line[0] in {b"GET", b"HEAD"} and line[1:2] == [b"/health/live"]
        self._say(reply.LIVE if live else reply.NOT_HERE)

    async def _keep(self, body: bytes) -> None:
        """Store the report, then answer; close without a byte when it is not stored."""
        code = None if self._is_plugin() else inbox.new_deletion_code()
        try:
            row = inbox.row(
                body,
                pepper=self._receiver.pepper,
                received_at=dt.datetime.now(dt.UTC),
                deletion_code=code,
            )
            del body  # what waits for its commit is the packed row alone
            kept = await self._receiver.store.keep(row)
        except Exception:
            logger.exception("a report was not stored")
            kept = False
        if kept:
            self._transport.write(reply.ok_with_code(code) if code else reply.OK)
        self._transport.close()

    def _is_plugin(self) -> bool:
        agent = self._head.headers.get("user-agent", "").lower()
        return agent == PLUGIN or "maxscale" in agent

    def _refuse(self, outcome: str, answer: bytes) -> None:
        self._receiver.store.refuse(outcome)
        self._say(answer)

    def _say(self, answer: bytes) -> None:
        """Answer, and read on for a moment: a reset would destroy the answer on its way."""
        self._consume = self._wait
        self._buffer.clear()
        self._answered = True
        self._transport.write(answer)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER, self._transport.close)
