"""Blind signatures: the registrar signs a pseudonym that it never sees.

RFC 9474, variant RSABSSA-SHA384-PSS-Randomized. The voter's side is `prepare`, `blind`,
`finalize`; the registrar's is `sign`; everybody's is `verify`. All bytes are big-endian and as long
as the modulus.
"""

from __future__ import annotations

import hashlib
import secrets
from math import gcd
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384

PREFIX: Final = 32  # random bytes before the message
SALT: Final = 48  # bytes, as long as the hash
_PSS: Final = padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=SALT)


class BlindSignatureError(ValueError):
    """What came is no blinded message of this key, or no signature of it."""


def prepare(message: bytes, *, prefix: bytes | None = None) -> bytes:
    """The message behind 32 random bytes (section 4.1), which are signed and shown with it."""
    return (secrets.token_bytes(PREFIX) if prefix is None else prefix) + message


def blind(
    public: rsa.RSAPublicKey,
    prepared: bytes,
    *,
    salt: bytes | None = None,
    factor: int | None = None,
) -> tuple[bytes, int]:
    """What the registrar is shown, and the inverse that only the voter keeps (section 4.2).

    `salt` and `factor` are drawn anew each time; only tests of known answers give them.
    """
    modulus, exponent = _numbers(public)
    salt = secrets.token_bytes(SALT) if salt is None else salt
    encoded = int.from_bytes(_encoded(prepared, salt, modulus.bit_length() - 1))
    if gcd(encoded, modulus) != 1:
        raise BlindSignatureError("the message shares a factor with the key")
    factor = _unit(modulus) if factor is None else factor
    blinded = encoded * pow(factor, exponent, modulus) % modulus
    return _bytes(blinded, modulus), pow(factor, -1, modulus)


def sign(private: rsa.RSAPrivateKey, blinded: bytes) -> bytes:
    """The signature of a blinded message (section 4.3).

    Raises BlindSignatureError for what is no number below the modulus. The power is taken of a
    message that was blinded once more, so that how long it takes tells nothing of the key, and is
    verified before it leaves.
    """
    modulus, exponent = _numbers(private.public_key())
    message = int.from_bytes(blinded)
    if len(blinded) != _length(modulus) or message >= modulus:
        raise BlindSignatureError("this is not a blinded message of this key")
    factor = _unit(modulus)
    hidden = message * pow(factor, exponent, modulus) % modulus
    signature = _power(private, hidden) * pow(factor, -1, modulus) % modulus
    if pow(signature, exponent, modulus) != message:
        raise BlindSignatureError("the signature did not verify and was withheld")
    return _bytes(signature, modulus)


def finalize(
    public: rsa.RSAPublicKey, prepared: bytes, blind_signature: bytes, inverse: int
) -> bytes:
    """The signature of the prepared message itself (section 4.4).

    Raises BlindSignatureError where the registrar's answer is not one to what was asked.
    """
    modulus, _ = _numbers(public)
    if len(blind_signature) != _length(modulus):
        raise BlindSignatureError("the answer is not as long as the key")
    signature = _bytes(int.from_bytes(blind_signature) * inverse % modulus, modulus)
    if not verify(public, prepared, signature):
        raise BlindSignatureError("the registrar's answer is no signature of this message")
    return signature


def verify(public: rsa.RSAPublicKey, prepared: bytes, signature: bytes) -> bool:
    """Whether the key signed the prepared message: RSASSA-PSS as in RFC 8017 (section 4.5)."""
    try:
        public.verify(signature, prepared, _PSS, SHA384())
    except InvalidSignature:
        return False
    return True


# --- numbers ---


def _numbers(public: rsa.RSAPublicKey) -> tuple[int, int]:
    numbers = public.public_numbers()
    return numbers.n, numbers.e


def _length(modulus: int) -> int:
    return (modulus.bit_length() + 7) // 8


def _bytes(number: int, modulus: int) -> bytes:
    return number.to_bytes(_length(modulus))


def _unit(modulus: int) -> int:
    """A random number from 1 that has an inverse."""
    while gcd(found := 1 + secrets.randbelow(modulus - 1), modulus) != 1:
        continue
    return found


def _power(private: rsa.RSAPrivateKey, number: int) -> int:
    """The private operation, by the remainders of both primes (RFC 8017, section 5.1.2)."""
    key = private.private_numbers()
    first, second = pow(number, key.dmp1, key.p), pow(number, key.dmq1, key.q)
    return second + (first - second) * key.iqmp % key.p * key.q


def _encoded(message: bytes, salt: bytes, bits: int) -> bytes:
    """EMSA-PSS (RFC 8017, section 9.1.1) with SHA-384."""
    length = (bits + 7) // 8
    digest = hashlib.sha384(bytes(8) + hashlib.sha384(message).digest() + salt).digest()
    block = bytes(length - len(salt) - len(digest) - 2) + b"\x01" + salt
    mask = _mask(digest, len(block))
    masked = bytearray(a ^ b for a, b in zip(block, mask, strict=True))
    masked[0] &= 0xFF >> (8 * length - bits)
    return bytes(masked) + digest + b"\xbc"


def _mask(seed: bytes, length: int) -> bytes:
    """MGF1 (RFC 8017, appendix B.2.1) with SHA-384."""
    blocks = range(-(-length // SALT))
    return b"".join(hashlib.sha384(seed + one.to_bytes(4)).digest() for one in blocks)[:length]
