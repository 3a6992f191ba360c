"""A connection to one server: greeted, signed in, asked."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

from . import packets
from .passwords import NATIVE, answer

LIMIT: Final = 8 * 2**20  # bytes of an answer
Row = tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """Who asks."""

    user: str
    password: str


@dataclass(frozen=True, slots=True)
class Tls:
    """How the line is protected; without a context it is not."""

    context: ssl.SSLContext | None
    is_required: bool = False


class Session(asyncio.Protocol):
    """Speaks the client protocol. `signed_in` and `ask` are what a caller waits for."""

    def __init__(self, account: Account, tls: Tls, name: str) -> None:
        self._account, self._tls, self._name = account, tls, name
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._sequence = 0
        self._received = 0  # bytes since the last question
        self._over_tls = False
        self._step: Callable[[bytes], None] = self._greeted
        self._rows: list[Row] = []
        self._waiting: asyncio.Future[list[Row]] = self._loop.create_future()
        self._upgrade: asyncio.Task[None] | None = None

    async def signed_in(self) -> None:
        await self._waiting

    async def ask(self, query: str) -> list[Row]:
        """The rows of one query; ServerError when the server refuses it."""
        self._waiting, self._rows, self._sequence = self._loop.create_future(), [], 0
        self._step, self._received = self._counted, 0
        self._send(packets.QUERY + query.encode())
        return await self._waiting

    def close(self) -> None:
        if not self._transport.is_closing():
            self._sequence = 0
            self._send(packets.QUIT)
            self._transport.close()

    # --- bytes ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._received += len(data)
        if self._received > LIMIT:
            self._fail(packets.ProtocolError("the answer is too large"))
            return
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:3], "little")
            if len(self._buffer) < size + 4:
                return
            self._sequence = self._buffer[3] + 1
            packet = bytes(self._buffer[4 : size + 4])
            del self._buffer[: size + 4]
            self._take(packet)

    def _take(self, packet: bytes) -> None:
        try:
            if not packet:
                raise packets.ProtocolError("an empty packet")
            if packet[0] == packets.ERROR:
                raise packets.error(packet)
            self._step(packet)
        except (packets.ServerError, packets.ProtocolError) as error:
            self._fail(error)
        except (IndexError, UnicodeDecodeError):
            self._fail(packets.ProtocolError("a packet that makes no sense"))

    def _send(self, payload: bytes) -> None:
        self._transport.write(packets.framed(payload, self._sequence))
        self._sequence += 1

    def _fail(self, error: Exception) -> None:
        if not self._waiting.done():
            self._waiting.set_exception(error)
            self._waiting.exception()  # somebody may have stopped waiting
        if not isinstance(error, packets.ServerError):
            self._transport.abort()

    def _done(self) -> None:
        if not self._waiting.done():
            self._waiting.set_result(self._rows)

    # --- signing in ---

    def _greeted(self, packet: bytes) -> None:
        greeting = packets.greeting(packet)
        offers_tls = bool(greeting.capabilities & packets.TLS)
        if self._tls.context and offers_tls:
            self._step = self._too_early
            self._send(packets.tls_request())
            self._upgrade = self._loop.create_task(self._protect(greeting, self._tls.context))
        elif self._tls.is_required:
            raise packets.ProtocolError("the server offers no TLS")
        else:
            self._reply(greeting)

    async def _protect(self, greeting: packets.Greeting, context: ssl.SSLContext) -> None:
        try:
            transport = await self._loop.start_tls(
                self._transport, self, context, server_hostname=self._name
            )
        except (OSError, ssl.SSLError) as error:
            self._fail(error)
            return
        if transport is None:
            self._fail(ConnectionError("the server closed the connection"))
            return
        self._transport, self._over_tls = transport, True
        self._reply(greeting)

    def _reply(self, greeting: packets.Greeting) -> None:
        """In the usual way: where the account has another one, the server asks again for that."""
        said = self._answer(NATIVE, greeting.challenge)
        self._step = self._judged
        self._send(packets.sign_in(self._account.user, NATIVE, said, over_tls=self._over_tls))

    def _answer(self, plugin: str, challenge: bytes) -> bytes:
        return answer(plugin, self._account.password, challenge, over_tls=self._over_tls)

    def _judged(self, packet: bytes) -> None:
        if packet[0] == packets.OK:
            self._done()
        elif packet[0] == packets.END:
            plugin, _, challenge = packet[1:].partition(b"\0")
            self._send(self._answer(plugin.decode(), challenge.removesuffix(b"\0")))
        else:
            raise packets.ProtocolError("the server asks for more than a password")

    def _too_early(self, packet: bytes) -> None:
        raise packets.ProtocolError("the server speaks before the line is protected")

    # --- asking ---

    def _counted(self, packet: bytes) -> None:
        self._step = self._column

    def _column(self, packet: bytes) -> None:
        if packets.is_end(packet):
            self._step = self._row

    def _row(self, packet: bytes) -> None:
        if packets.is_end(packet):
            self._done()
        else:
            self._rows.append(tuple(packets.values(packet)))


async def connect(address: tuple[str, int] | str, account: Account, tls: Tls) -> Session:
    """A session that is signed in: at a host and port, or at a Unix socket."""
    loop = asyncio.get_running_loop()
    name = address if isinstance(address, str) else address[0]

    def made() -> Session:
        return Session(account, tls, name)

    if isinstance(address, str):
        _, session = await loop.create_unix_connection(made, address)
    else:
        _, session = await loop.create_connection(made, *address)
    try:
        await session.signed_in()
    except BaseException:
        with suppress(OSError):
            session.close()
        raise
    return session
