"""Signatures of version 4 (RFC 4880, 5.2) with SHA-512: the packet is written here, the arithmetic
is OpenSSL's, which takes an eighth of Sequoia's time for RSA. Pure.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from typing import Final, Protocol

from releases.openpgp import ISSUER_FINGERPRINT, SIGNATURE, packet, subpacket
from releases.signer.material import Material

SHA512: Final = 10
BINARY, TEXT, POSITIVE_CERTIFICATION = 0x00, 0x01, 0x13
CREATED, ISSUER = 2, 16


class Key(Protocol):
    """What a signature needs to know of who makes it."""

    @property
    def material(self) -> Material: ...

    @property
    def fingerprint(self) -> bytes: ...


def write(
    key: Key, kind: int, covered: Iterable[bytes], *, created: int, more: bytes = b""
) -> bytes:
    """The packet of a signature over the pieces in `covered`; `more` are further subpackets."""
    hashed = (
        subpacket(CREATED, struct.pack(">I", created))
        + more
        + subpacket(ISSUER_FINGERPRINT, b"\x04" + key.fingerprint)
    )
    unhashed = subpacket(ISSUER, key.fingerprint[-8:])
    head = bytes([4, kind, key.material.number, SHA512])
    head += struct.pack(">H", len(hashed)) + hashed
    digest = _digest(covered, head + b"\x04\xff" + struct.pack(">I", len(head)))
    tail = struct.pack(">H", len(unhashed)) + unhashed + digest[:2]
    return packet(SIGNATURE, head + tail + key.material.sign(digest))


def canonical(text: bytes) -> bytes:
    """A text as its signature covers it: CRLF between lines, no blanks at their ends (7.1)."""
    return b"\r\n".join(line.rstrip(b" \t\r") for line in text.split(b"\n"))


def _digest(covered: Iterable[bytes], trailer: bytes) -> bytes:
    found = hashlib.sha512()
    for piece in covered:
        found.update(piece)
    found.update(trailer)
    return found.digest()
