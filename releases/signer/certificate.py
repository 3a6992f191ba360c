"""An OpenPGP key (RFC 4880, version 4) whose primary key signs, and its self-signature.

rpm 4.18 does not import the certificates that Sequoia generates (a signing subkey behind critical
subpackets), and rpm before 4.15 does not look at subkeys at all. So the few packets of the plainest
possible key are written here. Pure.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Final

from releases.openpgp import (
    PUBLIC_KEY,
    SECRET_KEY,
    SIGNATURE,
    USER_ID,
    packet,
    read_packets,
    subpacket,
)
from releases.signer import material, signature
from releases.signer.material import Material
from releases.signer.signature import POSITIVE_CERTIFICATION, SHA512

CERTIFY_AND_SIGN: Final = b"\x03"
KEY_EXPIRES, KEY_FLAGS, PREFERRED_HASHES, PRIMARY_USER, FEATURES = 9, 27, 21, 25, 30


@dataclass(frozen=True)
class Plain:
    """The parts of a key that say who it is."""

    created: int  # seconds since 1970
    material: Material
    user_id: bytes

    @property
    def public(self) -> bytes:
        head = struct.pack(">BIB", 4, self.created, self.material.number)
        return head + self.material.public()

    @property
    def framed(self) -> bytes:
        return b"\x99" + struct.pack(">H", len(self.public)) + self.public

    @property
    def fingerprint(self) -> bytes:
        return hashlib.sha1(self.framed, usedforsecurity=False).digest()


def generate(
    user_id: str, *, created: int, algorithm: str = "rsa4096", expires: int | None = None
) -> bytes:
    """The secret key of `user_id`, binary; times in seconds since 1970."""
    plain = Plain(created, material.make(algorithm), user_id.encode())
    return written(plain, signed=created, expires=expires)


def read(secret: bytes) -> Plain:
    """The primary key and first user id of a binary secret key. Raises ValueError."""
    packets = list(read_packets(secret))
    if not packets or packets[0][0] != SECRET_KEY:
        raise ValueError("this is not a secret key")
    created, numbers = material.read(packets[0][1])
    names = [body for tag, body in packets if tag == USER_ID]
    if not names:
        raise ValueError("the key has no user id")
    return Plain(created, numbers, names[0])


def primary(secret: bytes) -> bytes:
    """The key without subkeys and other user ids: old clients look at nothing else."""
    read(secret)
    kept: list[tuple[int, bytes]] = []
    for tag, body in read_packets(secret):
        if len(kept) >= 3 and tag != SIGNATURE:
            break
        wanted = {0: SECRET_KEY, 1: USER_ID}.get(len(kept), SIGNATURE)
        if tag == wanted:
            kept.append((tag, body))
    return b"".join(packet(tag, body) for tag, body in kept)


def written(plain: Plain, *, signed: int, expires: int | None) -> bytes:
    """The key with a self-signature of the moment `signed`: the way to give it another end."""
    if expires is not None and expires <= max(plain.created, signed):
        raise ValueError("the key would have expired already")
    secret = plain.material.secret()
    guarded = b"\0" + secret + struct.pack(">H", sum(secret) % 65536)  # the file mode guards it
    return (
        packet(SECRET_KEY, plain.public + guarded)
        + packet(USER_ID, plain.user_id)
        + _self_signature(plain, signed, expires)
    )


def _self_signature(plain: Plain, signed: int, expires: int | None) -> bytes:
    ends = b""
    if expires is not None:
        ends = subpacket(KEY_EXPIRES, struct.pack(">I", expires - plain.created))
    more = (
        subpacket(KEY_FLAGS, CERTIFY_AND_SIGN)
        + ends
        + subpacket(PREFERRED_HASHES, bytes([SHA512, 8]))
        + subpacket(PRIMARY_USER, b"\x01")
        + subpacket(FEATURES, b"\x01")
    )
    user_id = b"\xb4" + struct.pack(">I", len(plain.user_id)) + plain.user_id
    covered = [plain.framed, user_id]
    return signature.write(plain, POSITIVE_CERTIFICATION, covered, created=signed, more=more)


def read_public(public: bytes) -> tuple[int, int, int]:
    """When the primary key of a binary certificate was made, its algorithm by number, its size."""
    tag, body = next(read_packets(public))
    if tag != PUBLIC_KEY:
        raise ValueError("this is not a public key")
    version, created, algorithm = struct.unpack_from(">BIB", body)
    if version != 4:
        raise ValueError("only keys of version 4 are read by every client")
    (size,) = struct.unpack_from(">H", body, 6)
    return created, algorithm, size
