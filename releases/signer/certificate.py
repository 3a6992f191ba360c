"""A new OpenPGP key (RFC 4880, version 4) whose primary key signs.

rpm 4.18 does not import the certificates that Sequoia generates (a signing subkey behind critical
subpackets), and rpm before 4.15 does not look at subkeys at all. So the few packets of the plainest
possible key are written here; signing itself is Sequoia's. Pure.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

SECRET_KEY, SIGNATURE, PUBLIC_KEY, USER_ID = 5, 2, 6, 13
RSA: Final = 1
SHA512: Final = 10
POSITIVE_CERTIFICATION: Final = 0x13
CERTIFY_AND_SIGN: Final = b"\x03"
CREATED, KEY_FLAGS, PREFERRED_HASHES, ISSUER, PRIMARY_USER, FEATURES, ISSUER_FINGERPRINT = (
    *(2, 27, 21, 16, 25, 30, 33),
)


def generate(user_id: str, *, created: int, bits: int = 4096) -> bytes:
    """The secret key of `user_id`, binary; `created` in seconds since 1970."""
    secret = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    public = _public_body(secret, created)
    name = user_id.encode()
    return (
        _packet(SECRET_KEY, public + _secret_part(secret))
        + _packet(USER_ID, name)
        + _packet(SIGNATURE, _self_signature(secret, public, name, created))
    )


def _public_body(secret: rsa.RSAPrivateKey, created: int) -> bytes:
    numbers = secret.public_key().public_numbers()
    return struct.pack(">BIB", 4, created, RSA) + _number(numbers.n) + _number(numbers.e)


def _secret_part(secret: rsa.RSAPrivateKey) -> bytes:
    """RFC 4880, 5.5.3: unencrypted (the file mode guards it), p < q, u = 1/p mod q."""
    numbers = secret.private_numbers()
    p, q = sorted([numbers.p, numbers.q])
    body = b"".join(_number(value) for value in (numbers.d, p, q, pow(p, -1, q)))
    return b"\0" + body + struct.pack(">H", sum(body) % 65536)


def _self_signature(secret: rsa.RSAPrivateKey, public: bytes, name: bytes, created: int) -> bytes:
    framed = b"\x99" + struct.pack(">H", len(public)) + public
    fingerprint = hashlib.sha1(framed, usedforsecurity=False).digest()
    hashed = (
        _subpacket(CREATED, struct.pack(">I", created))
        + _subpacket(KEY_FLAGS, CERTIFY_AND_SIGN)
        + _subpacket(PREFERRED_HASHES, bytes([SHA512, 8]))
        + _subpacket(PRIMARY_USER, b"\x01")
        + _subpacket(FEATURES, b"\x01")
        + _subpacket(ISSUER_FINGERPRINT, b"\x04" + fingerprint)
    )
    unhashed = _subpacket(ISSUER, fingerprint[-8:])
    head = bytes([4, POSITIVE_CERTIFICATION, RSA, SHA512]) + struct.pack(">H", len(hashed)) + hashed
    signed = framed + b"\xb4" + struct.pack(">I", len(name)) + name
    signed += head + b"\x04\xff" + struct.pack(">I", len(head))
    value = secret.sign(signed, padding.PKCS1v15(), hashes.SHA512())
    digest = hashlib.sha512(signed).digest()
    tail = struct.pack(">H", len(unhashed)) + unhashed + digest[:2]
    return head + tail + _number(int.from_bytes(value, "big"))


def _number(value: int) -> bytes:
    size = value.bit_length()
    return struct.pack(">H", size) + value.to_bytes((size + 7) // 8, "big")


def _subpacket(kind: int, body: bytes) -> bytes:
    return bytes([len(body) + 1, kind]) + body


def _packet(tag: int, body: bytes) -> bytes:
    return bytes([0xC0 | tag, 0xFF]) + struct.pack(">I", len(body)) + body
