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
class Piece:
    """A part of a file: from which byte on, how many, and the size of the whole file."""

    start: int
    length: int
    size: int

    @property
    def range(self) -> str:
        return f"{self.start}-{self.start + self.length - 1}"


@dataclass(frozen=True, slots=True)
class Rules:
    """What probes may do. `private` lets them reach private addresses: for development only."""

    context: ssl.SSLContext
    private: bool = False
    seconds: float = 10.0


async def fetch(
    url: str, rules: Rules, *, most: int, only_beginning: bool = False, piece: Piece | None = None
) -> bytes:
    """The body at an https address: all of it, its first `most` bytes, or a piece of it.

    Raises FetchError for everything that is not a plain 200 (or 206 of a beginning or piece).
    """
    try:
        async with asyncio.timeout(rules.seconds):
            raw = await _fetch(url, rules, most, only_beginning, piece)
            return _piece(raw, piece) if piece else _body(raw, most, only_beginning)
    except TimeoutError:
        raise FetchError(f"no answer within {rules.seconds:.0f} seconds") from None
    except ssl.SSLCertVerificationError as error:
        raise FetchError(f"its certificate is not valid: {error.verify_message}") from None
    except ssl.SSLError as error:
        raise FetchError(f"no TLS connection: {error.reason or 'error'}") from None
    except OSError as error:
        raise FetchError(f"no connection: {error.strerror or type(error).__name__}") from None


async def _fetch(
    url: str, rules: Rules, most: int, only_beginning: bool, piece: Piece | None
) -> bytes:
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise FetchError("its address does not begin with https://")
    port = parts.port or 443
    address = await _resolve(parts.hostname, port, private=rules.private)
    reader, writer = await asyncio.open_connection(
        address, port, ssl=rules.context, server_hostname=parts.hostname, limit=PIECE
    )
    try:
        wanted = f"0-{most - 1}" if only_beginning else piece.range if piece else ""
        writer.write(_request(parts.netloc, parts.path, wanted))
        return await _read(reader, HEAD_MOST + most)
    finally:
        writer.close()


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


def _request(host: str, path: str, wanted: str) -> bytes:
    lines = [
        f"GET {path or '/'} HTTP/1.1",
        f"Host: {host}",
        f"User-Agent: {AGENT}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if wanted:
        lines.append(f"Range: bytes={wanted}")
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
        _check_status(answer.status, is_part=only_beginning)
        body = answer.read(most + 1)
    except http.client.IncompleteRead as error:
        if not only_beginning:
            raise FetchError("its answer ends too early") from None
        body = error.partial
    except (http.client.HTTPException, ValueError, ArithmeticError):  # of hostile chunk sizes
        raise FetchError("its answer is not HTTP") from None
    return _cut(body, answer.length, most, only_beginning)


def _piece(raw: bytes, piece: Piece) -> bytes:
    """The body of an answer that is that piece and says so."""
    answer = http.client.HTTPResponse(_Socket(raw))  # type: ignore[arg-type]
    try:
        answer.begin()
        _check_piece(answer, piece)
        body = answer.read(piece.length + 1)
    except (http.client.HTTPException, ValueError, ArithmeticError):
        raise FetchError("its answer is not HTTP, or ends too early") from None
    if answer.length:  # bytes that were promised and did not come
        raise FetchError("its answer ends too early")
    if len(body) != piece.length:
        raise FetchError("its answer is not the part of a file that was asked for")
    return body


def _check_piece(answer: http.client.HTTPResponse, piece: Piece) -> None:
    if answer.status == 416:
        raise FetchError("a file is shorter than here")
    if answer.status == 200:
        raise FetchError("it does not send parts of files: downloads could not be resumed")
    _check_status(answer.status, is_part=True)
    told = answer.getheader("Content-Range", "")
    if told != f"bytes {piece.range}/{piece.size}":
        raise FetchError(f"a file has another size than here, {piece.size} bytes")


def _cut(body: bytes, missing: int | None, most: int, only_beginning: bool) -> bytes:
    if only_beginning:
        return body[:most]
    if len(body) > most:
        raise FetchError("a file is larger than it should be")
    if missing:
        raise FetchError("its answer ends too early")
    return body


def _check_status(status: int, *, is_part: bool) -> None:
    if 300 <= status < 400:
        raise FetchError(f"it answers with a redirect ({status}), which probes do not follow")
    if status in {404, 410}:
        raise MissingError(f"a file is missing ({status})")
    if status != 200 and not (is_part and status == 206):
        raise FetchError(f"it answers with status {status}")
