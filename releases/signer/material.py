"""The numbers of a key, and signing with them: RSA and Ed25519, as version 4 packets say it."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.hazmat.primitives.serialization import PublicFormat as Public

from releases.openpgp import number, read_number

RSA: Final = 1
EDDSA: Final = 22
CURVE: Final = b"\x09\x2b\x06\x01\x04\x01\xda\x47\x0f\x01"  # length and number of Ed25519
NATIVE: Final = 0x40  # the point is 32 bytes as they are
SIZES: Final = {"rsa4096": 4096, "rsa2048": 2048}  # the small one for tests
ALGORITHMS: Final = ("rsa4096", "ed25519")


class Material(Protocol):
    """What of a key differs by algorithm."""

    @property
    def number(self) -> int: ...

    @property
    def name(self) -> str: ...

    def public(self) -> bytes: ...

    def secret(self) -> bytes: ...

    def sign(self, digest: bytes) -> bytes:
        """The numbers of a signature over this SHA-512."""


@dataclass(frozen=True)
class Rsa:
    key: rsa.RSAPrivateKey
    number: int = RSA

    @property
    def name(self) -> str:
        return f"rsa{self.key.key_size}"

    def public(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return number(numbers.n) + number(numbers.e)

    def secret(self) -> bytes:
        """RFC 4880, 5.5.3: p < q, u = 1/p mod q."""
        numbers = self.key.private_numbers()
        p, q = sorted([numbers.p, numbers.q])
        return b"".join(number(value) for value in (numbers.d, p, q, pow(p, -1, q)))

    def sign(self, digest: bytes) -> bytes:
        value = self.key.sign(digest, padding.PKCS1v15(), Prehashed(hashes.SHA512()))
        return number(int.from_bytes(value, "big"))


@dataclass(frozen=True)
class Ed25519:
    key: Ed25519PrivateKey
    number: int = EDDSA

    @property
    def name(self) -> str:
        return "ed25519"

    def public(self) -> bytes:
        point = self.key.public_key().public_bytes(Encoding.Raw, Public.Raw)
        return CURVE + number(int.from_bytes(bytes([NATIVE]) + point, "big"))

    def secret(self) -> bytes:
        seed = self.key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return number(int.from_bytes(seed, "big"))

    def sign(self, digest: bytes) -> bytes:
        value = self.key.sign(digest)
        return b"".join(number(int.from_bytes(half, "big")) for half in (value[:32], value[32:]))


def make(algorithm: str) -> Material:
    if algorithm == "ed25519":
        return Ed25519(Ed25519PrivateKey.generate())
    return Rsa(rsa.generate_private_key(public_exponent=65537, key_size=SIZES[algorithm]))


def read(body: bytes) -> tuple[int, Material]:
    """When the key was made, and its numbers, from the body of a secret key packet."""
    try:
        version, created, algorithm = struct.unpack_from(">BIB", body)
        if version != 4:
            raise ValueError("only keys of version 4 are read by every client")
        if algorithm == RSA:
            return created, _read_rsa(body, 6)
        if algorithm == EDDSA and body[6:16] == CURVE:
            return created, _read_ed25519(body, 16)
    except (struct.error, IndexError) as error:
        raise ValueError(f"the key is cut off: {error}") from None
    raise ValueError("only RSA and Ed25519 are read by the clients we serve")


def _read_rsa(body: bytes, at: int) -> Rsa:
    n, at = read_number(body, at)
    e, at = read_number(body, at)
    start = at = _plain(body, at)
    d, at = read_number(body, at)
    p, at = read_number(body, at)
    q, at = read_number(body, at)
    _, at = read_number(body, at)
    _must_be_whole(body, start, at)
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(e, n)
    )
    return Rsa(numbers.private_key())


def _read_ed25519(body: bytes, at: int) -> Ed25519:
    _, end = read_number(body, at)
    start = _plain(body, end)
    seed, last = read_number(body, start)
    _must_be_whole(body, start, last)
    found = Ed25519(Ed25519PrivateKey.from_private_bytes(seed.to_bytes(32, "big")))
    if found.public() != body[at - len(CURVE) : end]:
        raise ValueError("the two halves of the key do not belong together")
    return found


def _must_be_whole(body: bytes, start: int, end: int) -> None:
    """The sum of the secret numbers stands behind them (RFC 4880, 5.5.3)."""
    (told,) = struct.unpack_from(">H", body, end)
    if told != sum(body[start:end]) % 65536:
        raise ValueError("the key is damaged")


def _plain(body: bytes, at: int) -> int:
    if body[at] != 0:
        raise ValueError("take the pass phrase off first: the mode of the file guards the key")
    return at + 1
