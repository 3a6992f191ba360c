"""Detached signatures of OpenPGP by Ed25519 keys (RFC 4880 and RFC 9580, 5.2): verified, not made.

Stricter than a program like gpg: of all the ways to write the same signature down only one is
taken, so that every byte of it counts.
"""

from __future__ import annotations

import base64
import hashlib
import struct

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SIGNATURE, PUBLIC_KEY = 2, 6
EDDSA, SHA512 = 22, 10
CURVE = b"\x09\x2b\x06\x01\x04\x01\xda\x47\x0f\x01"
ISSUER = b"\x09\x10"  # length and kind of the subpacket with the last bytes of the fingerprint


class BadSignatureError(Exception):
    """The message says what is wrong with the signature or the key."""


def fingerprint(key: bytes) -> str:
    """Of an armored public key, in upper case."""
    return _fingerprint(_key_body(key)).hex().upper()


def verify(data: bytes, signature: bytes, key: bytes) -> None:
    """Raises BadSignatureError unless the armored key made the armored signature of the data."""
    try:
        public, packet = _key_body(key), _dearmor(signature, b"SIGNATURE")
        ((tag, body),) = _packets(packet)
        if armor(packet) != signature or tag != SIGNATURE:
            raise BadSignatureError("the signature is written down in another way than it was made")
        _verify_packet(data, body, public)
    except (ValueError, IndexError, struct.error) as error:
        raise BadSignatureError(f"signature or key cannot be read: {error}") from None


def _verify_packet(data: bytes, body: bytes, public: bytes) -> None:
    version, kind, algorithm, digest_kind, size = struct.unpack_from(">BBBBH", body)
    if (version, kind, algorithm, digest_kind) != (4, 0, EDDSA, SHA512):
        raise BadSignatureError("this is not a signature of a file by Ed25519 and SHA-512")
    head = body[: 6 + size]
    digest = hashlib.sha512(data + head + b"\x04\xff" + struct.pack(">I", len(head))).digest()
    issuer = ISSUER + _fingerprint(public)[-8:]
    middle = struct.pack(">H", len(issuer)) + issuer + digest[:2]
    if body[6 + size :][: len(middle)] != middle:
        raise BadSignatureError("the signature is of other bytes, or by another key")
    first, second = _two_numbers(body[6 + size + len(middle) :])
    try:
        Ed25519PublicKey.from_public_bytes(_point(public)).verify(first + second, digest)
    except InvalidSignature:
        raise BadSignatureError("the signature does not fit the bytes") from None


def armor(packet: bytes) -> bytes:
    """The signature as text, with its check sum: the one way in which it is written down."""
    encoded = base64.b64encode(packet)
    lines = [encoded[at : at + 64] for at in range(0, len(encoded), 64)]
    lines.append(b"=" + base64.b64encode(_crc24(packet).to_bytes(3, "big")))
    begin, end = b"-----BEGIN PGP SIGNATURE-----", b"-----END PGP SIGNATURE-----"
    return b"\n".join([begin, b"", *lines, end, b""])


def _dearmor(text: bytes, what: bytes) -> bytes:
    inside = text.partition(b"-----BEGIN PGP " + what + b"-----")[2]
    inside = inside.partition(b"-----END PGP " + what)[0].replace(b"\r", b"")
    lines = [line for line in inside.partition(b"\n\n")[2].split() if not line.startswith(b"=")]
    return base64.b64decode(b"".join(lines), validate=True)


def _key_body(key: bytes) -> bytes:
    """The body of the first packet of an armored public key."""
    try:
        tag, body = _packets(_dearmor(key, b"PUBLIC KEY BLOCK"))[0]
    except (ValueError, IndexError) as error:
        raise BadSignatureError(f"the public key cannot be read: {error}") from None
    if tag != PUBLIC_KEY or body[:1] != b"\x04" or body[5:16] != bytes([EDDSA]) + CURVE:
        raise BadSignatureError("this is not an Ed25519 key")
    return body


def _fingerprint(public: bytes) -> bytes:
    framed = b"\x99" + struct.pack(">H", len(public)) + public
    return hashlib.sha1(framed, usedforsecurity=False).digest()


def _point(public: bytes) -> bytes:
    """The 32 bytes of the key, behind their length in bits and a byte that says they are native."""
    if len(public) != 51 or public[18] != 0x40:
        raise BadSignatureError("the key is not written as Ed25519 keys are")
    return public[19:]


def _two_numbers(data: bytes) -> tuple[bytes, bytes]:
    """Two numbers of 32 bytes; each stands behind its length in bits, without leading zeros."""
    found, at = [], 0
    for _ in range(2):
        (bits,) = struct.unpack_from(">H", data, at)
        end = at + 2 + (bits + 7) // 8
        value = int.from_bytes(data[at + 2 : end], "big")
        if value.bit_length() != bits or end > len(data):
            raise BadSignatureError("a number of the signature is written wrongly")
        found.append(value.to_bytes(32, "big"))
        at = end
    if at != len(data):
        raise BadSignatureError("something stands behind the signature")
    return found[0], found[1]


def _packets(data: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 0
    while at < len(data):
        tag, start, size = _head(data, at)
        if start + size > len(data):
            raise ValueError("a packet is cut off")
        found.append((tag, data[start : start + size]))
        at = start + size
    return found


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """Tag, first byte and length of the packet at `at`, in the new form or the old one."""
    first, second = data[at], data[at + 1]
    if first & 0xC0 == 0xC0 and second < 192:
        return first & 0x3F, at + 2, second
    if first & 0xC0 == 0xC0 and second < 224:
        return first & 0x3F, at + 3, ((second - 192) << 8) + data[at + 2] + 192
    if first & 0xC3 == 0x80:
        return (first >> 2) & 0xF, at + 2, second
    if first & 0xC3 == 0x81:
        return (first >> 2) & 0xF, at + 3, (second << 8) + data[at + 2]
    raise ValueError("a packet has an unknown length")


def _crc24(data: bytes) -> int:
    found = 0xB704CE
    for byte in data:
        found ^= byte << 16
        for _ in range(8):
            found <<= 1
            if found & 0x1000000:
                found ^= 0x1864CFB
    return found
