"""The packets of OpenPGP (RFC 4880): written in the new form, read in both; armor. Pure."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator

SIGNATURE, SECRET_KEY, PUBLIC_KEY, USER_ID = 2, 5, 6, 13
ISSUER_FINGERPRINT = 33
SIGNATURE_HEAD = b"-----BEGIN PGP SIGNATURE-----"
SIGNATURE_TAIL = b"-----END PGP SIGNATURE-----"


def packet(tag: int, body: bytes) -> bytes:
    size = len(body)
    if size < 192:
        length = bytes([size])
    elif size < 8384:
        length = struct.pack(">H", size - 192 + (192 << 8))
    else:
        length = b"\xff" + struct.pack(">I", size)
    return bytes([0xC0 | tag]) + length + body


def subpacket(kind: int, body: bytes) -> bytes:
    return bytes([len(body) + 1, kind]) + body


def number(value: int) -> bytes:
    """A multiprecision integer: its length in bits, then its bytes."""
    size = value.bit_length()
    return struct.pack(">H", size) + value.to_bytes((size + 7) // 8, "big")


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """The integer at `at`, and where it ends."""
    (bits,) = struct.unpack_from(">H", data, at)
    end = at + 2 + (bits + 7) // 8
    if end > len(data):
        raise ValueError("a number is cut off")
    return int.from_bytes(data[at + 2 : end], "big"), end


def read_packets(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and body of each packet. Raises ValueError on what is cut off or of unknown length."""
    at = 0
    while at < len(data):
        head = data[at]
        if not head & 0x80:
            raise ValueError("this is not an OpenPGP packet")
        tag, start, size = _new(data, at) if head & 0x40 else _old(data, at)
        if start + size > len(data):
            raise ValueError("a packet is cut off")
        yield tag, data[start : start + size]
        at = start + size


def _new(data: bytes, at: int) -> tuple[int, int, int]:
    tag, first = data[at] & 0x3F, data[at + 1]
    if first < 192:
        return tag, at + 2, first
    if first < 224:
        return tag, at + 3, ((first - 192) << 8) + data[at + 2] + 192
    if first < 255:
        raise ValueError("packets in parts are not read")
    return tag, at + 6, int.from_bytes(data[at + 2 : at + 6], "big")


def _old(data: bytes, at: int) -> tuple[int, int, int]:
    width = {0: 1, 1: 2, 2: 4}.get(data[at] & 3)
    if width is None:
        raise ValueError("packets without a length are not read")
    start = at + 1 + width
    return (data[at] >> 2) & 0xF, start, int.from_bytes(data[at + 1 : start], "big")


def issuers(signatures: bytes) -> list[str]:
    """Who made the signatures, by fingerprint in upper case, as they say themselves; they may be
    armored, and InRelease is read too.
    """
    binary = dearmor(signatures) if SIGNATURE_HEAD in signatures else signatures
    return [_issuer(body) for tag, body in read_packets(binary) if tag == SIGNATURE]


def dearmor(text: bytes) -> bytes:
    """The binary form of the signatures in a text."""
    found = bytearray()
    for block in text.split(SIGNATURE_HEAD)[1:]:
        inside = block.partition(SIGNATURE_TAIL)[0].replace(b"\r", b"").partition(b"\n\n")[2]
        lines = [line for line in inside.split() if not line.startswith(b"=")]
        found += base64.b64decode(b"".join(lines), validate=True)
    return bytes(found)


def armor(signatures: bytes) -> bytes:
    """One block of all signatures, with its check sum."""
    encoded = base64.b64encode(signatures)
    lines = [encoded[at : at + 64] for at in range(0, len(encoded), 64)]
    checked = b"=" + base64.b64encode(_crc24(signatures).to_bytes(3, "big"))
    return b"\n".join([SIGNATURE_HEAD, b"", *lines, checked, SIGNATURE_TAIL, b""])


def _issuer(body: bytes) -> str:
    """The fingerprint in the hashed part of a version 4 signature; empty when it has none."""
    (size,) = struct.unpack_from(">H", body, 4)
    at, end = 6, 6 + size
    while at < end:
        length, at = _subpacket_length(body, at)
        if body[at] & 0x7F == ISSUER_FINGERPRINT:
            return body[at + 2 : at + length].hex().upper()
        at += length
    return ""


def _subpacket_length(body: bytes, at: int) -> tuple[int, int]:
    first = body[at]
    if first < 192:
        return first, at + 1
    if first < 255:
        return ((first - 192) << 8) + body[at + 1] + 192, at + 2
    return int.from_bytes(body[at + 1 : at + 5], "big"), at + 5


def _crc24(data: bytes) -> int:
    found = 0xB704CE
    for byte in data:
        found ^= byte << 16
        for _ in range(8):
            found <<= 1
            if found & 0x1000000:
                found ^= 0x1864CFB
    return found
