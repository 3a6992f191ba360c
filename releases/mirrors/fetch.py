"""One GET over TLS to a server that we do not trust: small, timed, and never into our own network.

The name is resolved once, every address it has must be a public one, and the connection goes to
the address that was looked at, so that a second answer of the name server changes nothing. No
redirect is followed, no body is read beyond its cap. Pure: asyncio, no Django.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import ipaddress
import socket
import ssl
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

HEAD_MOST: Final = 16 * 1024
PIECE: Final = 64 * 1024
AGENT: Final = "foundation-portal-mirror-probe"
TRANSLATED: Final = [ipaddress.IPv6Network(found) for found in ("64:ff9b::/96", "2002::/16")]


class FetchError(Exception):
    """Why there is no answer, in words for the operator of the server."""


class MissingError(FetchError):
    """The server answers, and has no such file."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What probes may do. `private` lets them reach private addresses: for development only."""

    context: ssl.SSLContext
    private: bool = False
    seconds: float = 10.0


async def fetch(url: str, rules: Rules, *, most: int, only_beginning: bool = False) -> bytes:
    """The body at an https address: all of it, or its first `most` bytes.

    Raises FetchError for everything that is not a plain 200 (or 206 of a beginning).
    """
    try:
        async with asyncio.timeout(rules.seconds):
            return await _fetch(url, rules, most, only_beginning)
    except TimeoutError:
        raise FetchError(f"no answer within {rules.seconds:.0f} seconds") from None
    except ssl.SSLCertVerificationError as error:
        raise FetchError(f"its certificate is not valid: {error.verify_message}") from None
    except ssl.SSLError as error:
        raise FetchError(f"no TLS connection: {error.reason or 'error'}") from None
    except OSError as error:
        raise FetchError(f"no connection: {error.strerror or type(error).__name__}") from None


async def _fetch(url: str, rules: Rules, most: int, only_beginning: bool) -> bytes:
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise FetchError("its address does not begin with https://")
    port = parts.port or 443
    address = await _resolve(parts.hostname, port, private=rules.private)
    reader, writer = await asyncio.open_connection(
        address, port, ssl=rules.context, server_hostname=parts.hostname, limit=PIECE
    )
    try:
        writer.write(_request(parts.netloc, parts.path, most if only_beginning else None))
        raw = await _read(reader, HEAD_MOST + most)
    finally:
        writer.close()
    return _body(raw, most, only_beginning)


async def _resolve(host: str, port: int, *, private: bool) -> str:
    """The first address of a name, if all of them may be called."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        raise FetchError("its name is not known") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not private and not all(is_public(address) for address in addresses):
        raise FetchError("its name leads to a private address")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address belongs to the open Internet, not to somebody's own network."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return is_public(str(found.ipv4_mapped))
        if any(found in network for network in TRANSLATED):
            return False
    return found.is_global and not found.is_multicast


def _request(host: str, path: str, beginning: int | None) -> bytes:
    lines = [
        f"GET {path or '/'} HTTP/1.1",
        f"Host: {host}",
        f"User-Agent: {AGENT}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if beginning is not None:
        lines.append(f"Range: bytes=0-{beginning - 1}")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _read(reader: asyncio.StreamReader, most: int) -> bytes:
    """What the server sends until it closes, at most one piece more than `most`."""
    raw = bytearray()
    while len(raw) <= most and (piece := await reader.read(PIECE)):
        raw += piece
    return bytes(raw)


class _Socket:
    """What http.client reads an answer from."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.raw)


def _body(raw: bytes, most: int, only_beginning: bool) -> bytes:
    answer = http.client.HTTPResponse(_Socket(raw))  # type: ignore[arg-type]
    try:
        answer.begin()
        _check_status(answer.status, only_beginning)
        body = answer.read(most + 1)
    except http.client.IncompleteRead as error:
        if not only_beginning:
            raise FetchError("its answer ends too early") from None
        body = error.partial
    except (http.client.HTTPException, ValueError, ArithmeticError):  # of hostile chunk sizes
        raise FetchError("its answer is not HTTP") from None
    return _cut(body, answer.length, most, only_beginning)


def _cut(body: bytes, missing: int | None, most: int, only_beginning: bool) -> bytes:
    if only_beginning:
        return body[:most]
    if len(body) > most:
        raise FetchError("a file is larger than it should be")
    if missing:
        raise FetchError("its answer ends too early")
    return body


def _check_status(status: int, only_beginning: bool) -> None:
    if 300 <= status < 400:
        raise FetchError(f"it answers with a redirect ({status}), which probes do not follow")
    if status in {404, 410}:
        raise MissingError(f"a file is missing ({status})")
    if status != 200 and not (only_beginning and status == 206):
        raise FetchError(f"it answers with status {status}")
