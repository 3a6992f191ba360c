"""What is said between the collector and one server, as generators: no socket is known here. Pure.

A talk yields what is to be sent, nothing where it only listens, and gets the next packet of the
server, or its refusal as a ServerError. Where it yields `Protect`, the line has TLS from then on.
"""

from __future__ import annotations

import ssl
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from . import packets
from .passwords import NATIVE, answer

Result = TypeVar("Result")
Row = tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Protect:
    """What is sent in clear before TLS begins. No packet answers it."""

    data: bytes


Talk = Generator[bytes | Protect, bytes, Result]


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


def sign_in(account: Account, tls: Tls) -> Talk[None]:
    """From the greeting until the server says that we may ask."""
    greeting = packets.greeting((yield b""))
    number, over_tls = 1, bool(tls.context and greeting.capabilities & packets.TLS)
    if over_tls:
        yield Protect(packets.framed(packets.tls_request(), number))
        number += 1
    elif tls.is_required:
        raise packets.ProtocolError("the server offers no TLS")
    # In the usual way: where the account has another one, the server asks again for that.
    said = answer(NATIVE, account.password, greeting.challenge, over_tls=over_tls)
    start = packets.sign_in(account.user, NATIVE, said, over_tls=over_tls)
    packet = yield packets.framed(start, number)
    while packet[0] == packets.END:
        number += 2
        plugin, _, challenge = packet[1:].partition(b"\0")
        challenge = challenge.removesuffix(b"\0")
        said = answer(plugin.decode(), account.password, challenge, over_tls=over_tls)
        packet = yield packets.framed(said, number)
    if packet[0] != packets.OK:
        raise packets.ProtocolError("the server asks for more than a password")


def ask(query: str) -> Talk[list[Row]]:
    """The rows of one query; ServerError when the server refuses it."""
    yield packets.framed(packets.QUERY + query.encode(), 0)  # answered by the number of columns
    while not packets.is_end((yield b"")):
        pass
    rows: list[Row] = []
    while not packets.is_end(packet := (yield b"")):
        rows.append(tuple(packets.values(packet)))
    return rows
