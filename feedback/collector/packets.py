"""Packets of the MariaDB client protocol: those of a server read, those of a client made. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

PROTOCOL_41: Final = 1 << 9
TLS: Final = 1 << 11
TRANSACTIONS: Final = 1 << 13
SECURE_CONNECTION: Final = 1 << 15
PLUGIN_AUTH: Final = 1 << 19
CAPABILITIES: Final = PROTOCOL_41 | TRANSACTIONS | SECURE_CONNECTION | PLUGIN_AUTH
LONGEST: Final = 0xFFFFFF  # bytes of one packet; what is longer continues in the next
UTF8MB4: Final = 45
QUERY: Final = b"\x03"
QUIT: Final = b"\x01"
OK: Final = 0x00
MORE: Final = 0x01
END: Final = 0xFE  # also: another way to sign in
ERROR: Final = 0xFF
_NULL: Final = 0xFB
_LENGTHS: Final = {0xFC: 2, 0xFD: 3, 0xFE: 8}  # bytes of the number that follows


class ServerError(Exception):
    """What a server refused, with its number."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"{text} ({number})")
        self.number = number


class ProtocolError(Exception):
    """What a server said is not the protocol that we speak."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a server says first."""

    version: str
    capabilities: int
    plugin: str
    challenge: bytes


def greeting(packet: bytes) -> Greeting:
    """Read the first packet; ServerError when the server takes no connection."""
    if packet[:1] == b"\xff":
        raise error(packet)
    if packet[:1] != b"\x0a":
        raise ProtocolError("this is no MariaDB server")
    version, _, rest = packet[1:].partition(b"\0")
    if len(rest) < 31:
        raise ProtocolError("the greeting is too short")
    low, high = int.from_bytes(rest[13:15], "little"), int.from_bytes(rest[18:20], "little")
    length = max(13, rest[20] - 8)
    challenge = rest[4:12] + rest[31 : 31 + length].removesuffix(b"\0")
    plugin = rest[31 + length :].partition(b"\0")[0]
    return Greeting(version.decode(errors="replace"), low | high << 16, plugin.decode(), challenge)


def tls_request() -> bytes:
    """The wish to go on over TLS."""
    return _client_start(CAPABILITIES | TLS)


def sign_in(user: str, plugin: str, answer: bytes, *, over_tls: bool) -> bytes:
    """The reply to the greeting."""
    start = _client_start(CAPABILITIES | (TLS if over_tls else 0))
    named = user.encode() + b"\0" + bytes([len(answer)]) + answer
    return start + named + plugin.encode() + b"\0"


def _client_start(capabilities: int) -> bytes:
    head = capabilities.to_bytes(4, "little") + LONGEST.to_bytes(4, "little")
    return head + bytes([UTF8MB4]) + bytes(23)


def framed(payload: bytes, sequence: int) -> bytes:
    """A payload as it goes over the wire."""
    return len(payload).to_bytes(3, "little") + bytes([sequence % 256]) + payload


def error(packet: bytes) -> ServerError:
    """The refusal in an error packet; the state that may stand before the text is left out."""
    text = packet[9:] if packet[3:4] == b"#" else packet[3:]
    return ServerError(int.from_bytes(packet[1:3], "little"), text.decode(errors="replace"))


def is_end(packet: bytes) -> bool:
    """Whether a packet ends the columns, or the rows, of a result."""
    return packet[0] == END and len(packet) < 9


def values(packet: bytes) -> Iterator[bytes | None]:
    """The values of a row; None for NULL."""
    at = 0
    while at < len(packet):
        first = packet[at]
        if first == _NULL:
            yield None
            at += 1
            continue
        size = _LENGTHS.get(first, 0)
        length = int.from_bytes(packet[at + 1 : at + 1 + size], "little") if size else first
        at += 1 + size
        if at + length > len(packet):
            raise ProtocolError("a row is cut off")
        yield packet[at : at + length]
        at += length
