"""A ballot that nobody can read before the election key is put together.

P-256 ECDH with a key of this one envelope, HKDF-SHA256, AES-256-GCM. The election and the
constituency are bound to it: an envelope of one is no envelope of another. All envelopes of a
contest are equally long, whatever is in them.
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
    """What is no envelope of this contest, or a text that does not fit into one."""


def seal(text: bytes, *, to: ec.EllipticCurvePublicKey, contest: bytes, size: int) -> bytes:
    """The text in an envelope of `overhead() + size` bytes.

    `contest` names the election and the constituency. Raises EnvelopeError for a text that is
    longer than `size - 2`.
    """
    if len(text) > size - 2:
        raise EnvelopeError(f"the ballot has {len(text)} bytes, {size - 2} fit")
    padded = len(text).to_bytes(2) + text + bytes(size - 2 - len(text))
    own = ec.generate_private_key(CURVE)
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    nonce = secrets.token_bytes(NONCE)
    key = _key(own.exchange(ec.ECDH(), to), point, contest)
    return point + nonce + AESGCM(key).encrypt(nonce, padded, contest)


def open_envelope(envelope: bytes, *, key: ec.EllipticCurvePrivateKey, contest: bytes) -> bytes:
    """The text. Raises EnvelopeError for what was altered, or is of another contest or key."""
    point, nonce, sealed = (
        envelope[:POINT],
        envelope[POINT : POINT + NONCE],
        envelope[POINT + NONCE :],
    )
    try:
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        shared = key.exchange(ec.ECDH(), theirs)
        padded = AESGCM(_key(shared, point, contest)).decrypt(nonce, sealed, contest)
    except (InvalidTag, ValueError) as error:
        raise EnvelopeError("this is no envelope of this contest") from error
    length = int.from_bytes(padded[:2])
    if length > len(padded) - 2 or any(padded[2 + length :]):
        raise EnvelopeError("the ballot in the envelope is not padded as it has to be")
    return padded[2 : 2 + length]


def overhead() -> int:
    """Bytes of an envelope beyond its size."""
    return POINT + NONCE + TAG


def private_key(secret: int) -> ec.EllipticCurvePrivateKey:
    """The election key of the number that scrutineers put together."""
    return ec.derive_private_key(secret, CURVE)


def _key(shared: bytes, point: bytes, contest: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=point, info=_NAME + contest).derive(shared)
