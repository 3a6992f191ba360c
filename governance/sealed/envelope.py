"""A ballot that nobody can read before the election key is put together.

P-256 ECDH with a key of this one envelope, HKDF-SHA256, AES-256-GCM. It is bound to bytes that name
whose ballot in which contest it is: copied to another place it cannot be opened. All envelopes of
a contest are equally long, whatever is in them.
"""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
POINT: Final = 65  # bytes of a public key, uncompressed
NONCE: Final = 12
TAG: Final = 16
_NAME: Final = b"foundation-portal sealed ballot 1"


class EnvelopeError(ValueError):
    """What cannot be opened here, or a text that does not fit."""


def seal(text: bytes, *, to: ec.EllipticCurvePublicKey, bound: bytes, size: int) -> bytes:
    """The text in an envelope of `overhead() + size` bytes.

    `bound` is told again to open it. Raises EnvelopeError for more than `size - 2` bytes of text.
    """
    if len(text) > size - 2:
        raise EnvelopeError(f"the ballot has {len(text)} bytes, {size - 2} fit")
    padded = len(text).to_bytes(2) + text + bytes(size - 2 - len(text))
    own = ec.generate_private_key(CURVE)
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    nonce = secrets.token_bytes(NONCE)
    key = _key(own.exchange(ec.ECDH(), to), point, bound)
    return point + nonce + AESGCM(key).encrypt(nonce, padded, bound)


def open_envelope(envelope: bytes, *, key: ec.EllipticCurvePrivateKey, bound: bytes) -> bytes:
    """The text. Raises EnvelopeError for what was altered, bound to something else, or sealed to
    another key.
    """
    point, nonce, sealed = (
        envelope[:POINT],
        envelope[POINT : POINT + NONCE],
        envelope[POINT + NONCE :],
    )
    try:
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        shared = key.exchange(ec.ECDH(), theirs)
        padded = AESGCM(_key(shared, point, bound)).decrypt(nonce, sealed, bound)
    except (InvalidTag, ValueError) as error:
        raise EnvelopeError("this envelope was altered, or sealed for something else") from error
    length = int.from_bytes(padded[:2])
    if length > len(padded) - 2 or any(padded[2 + length :]):
        raise EnvelopeError("the ballot in the envelope is not padded as it has to be")
    return padded[2 : 2 + length]


def overhead() -> int:
    """Bytes of an envelope beyond its size."""
    return POINT + NONCE + TAG


def _key(shared: bytes, point: bytes, bound: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=point, info=_NAME + bound).derive(shared)
