"""One connection of the receiver: read a request within limits, answer it, or say nothing."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, cast

from feedback import inbox
from feedback.parser import Clean, clean
from feedback.receiver import reply
from feedback.receiver.limits import Limits, Verdict, network_of
from feedback.receiver.request import BadRequestError, Head, is_report, parse_head
from feedback.receiver.store import Kept, Store
from portal.lib.addresses import client_address
from portal.lib.geography import country_of

logger = logging.getLogger(__name__)

EMPTY_LINE: Final = b"\r\n\r\n"
BODY_LIMIT: Final = 256 * 1024
HEAD_LIMIT: Final = 16 * 1024
DRAIN_LIMIT: Final = 16 * 2**20  # of a body that is refused
DEADLINE: Final = 30.0  # seconds for a whole request
LINGER: Final = 2.0  # seconds that an answered sender may go on sending
CONNECTIONS: Final = 12_000
BUFFERED: Final = 64 * 2**20  # bytes of all requests that are not whole yet
PLUGIN: Final = "mariadb user feedback plugin"
REFUSALS: Final = {Verdict.TOO_OFTEN: reply.TOO_OFTEN, Verdict.NETWORK: reply.NETWORK}


@dataclass(slots=True)
class Receiver:
    """What all connections share."""

    store: Store
    pepper: bytes
    trusted_proxies: int = 0
    countries: Path | None = None  # a database of countries, see portal/lib/geography.py
    limits: Limits = field(default_factory=Limits)
    most: int = CONNECTIONS
    connections: set[Connection] = field(default_factory=set)
    idle: dict[Connection, None] = field(default_factory=dict)  # owe us bytes; longest first
    buffered: int = 0  # bytes that wait in the buffers of all connections

    def make_room(self) -> None:
        """Cut those who take longest to say what they want, where there are too many of them.

        A database server sends its report in a moment; who comes last is not the one to suffer
        for those who send a byte a second.
        """
        while self.idle and (len(self.connections) > self.most or self.buffered > BUFFERED):
            next(iter(self.idle)).cut()


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
        self._receiver.connections.add(self)
        self._receiver.idle[self] = None
        self._deadline = asyncio.get_running_loop().call_later(DEADLINE, self.cut)
        self._receiver.make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()

    def cut(self) -> None:
        """End it without a byte, at once."""
        self._transport.abort()
        self._forget()

    def _forget(self) -> None:
        self._receiver.connections.discard(self)
        self._receiver.idle.pop(self, None)
        self._deadline.cancel()
        self._buffer.clear()
        self._charge()

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return  # aborted, or answered and closed
        self._buffer += data
        self._consume()
        self._charge()
        self._receiver.make_room()

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
            self.cut()

    # --- reading ---

    def _read_head(self) -> None:
        end = self._buffer.find(EMPTY_LINE)
        if end < 0:
            if len(self._buffer) > HEAD_LIMIT:
                self._refuse("malformed", reply.MALFORMED)
            return
        raw = bytes(self._buffer[:end])
        del self._buffer[: end + len(EMPTY_LINE)]  # moves nothing, however long the rest is
        try:
            self._head = parse_head(raw)
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
            self._receiver.idle.pop(self, None)
            del self._buffer[self._length :]
            body = bytes(self._buffer)
            self._buffer.clear()
            self._keep(body)

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

    def _keep(self, body: bytes) -> None:
        """Store the report, then answer; close without a byte when it is not stored.

        What waits for its commit is the packed row alone, and no task: there are many.
        """
        try:
            self._take(clean(body, self._receiver.pepper), self._address())
        except Exception:
            logger.exception("a report was not stored")
            self._transport.close()

    def _take(self, report: Clean, address: str) -> None:
        """The address is asked for its network and its country, and forgotten."""
        receiver, network = self._receiver, network_of(address)
        now = asyncio.get_running_loop().time()
        verdict = receiver.limits.judge(report.server_key, network, now)
        if verdict in REFUSALS:
            self._refuse(verdict.value, REFUSALS[verdict])
            return
        code = None if self._is_plugin() else inbox.new_code()
        row = inbox.row_of(
            report,
            received_at=dt.datetime.now(dt.UTC),
            deletion_code=code,
            country=country_of(address, receiver.countries),
        )
        told = partial(self._told, code, report.server_key, network)
        receiver.store.keep(row, told, only_if_known=verdict is Verdict.TAKE_IF_KNOWN)

    def _told(self, code: str | None, server_key: bytes, network: bytes, kept: Kept) -> None:
        """Answer as the store says what became of the report."""
        if kept is Kept.STRANGER:
            self._refuse(Kept.STRANGER.value, reply.STRANGER)
            return
        if kept is Kept.STORED:
            self._transport.write(reply.ok_with_code(code) if code else reply.OK)
        else:
            self._receiver.limits.forgive(server_key, network)
        self._transport.close()

    def _address(self) -> str:
        """Where the report comes from: what our own proxies say, never what the sender says."""
        peer = self._transport.get_extra_info("peername")
        meta = {
            "HTTP_X_FORWARDED_FOR": self._head.headers.get("x-forwarded-for", ""),
            "REMOTE_ADDR": peer[0] if peer else "",
        }
        return client_address(meta, trusted_proxies=self._receiver.trusted_proxies)

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
        if self in self._receiver.connections:  # else its sender has left meanwhile
            self._receiver.idle[self] = None
        self._answered = True
        self._transport.write(answer)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER, self._transport.close)
