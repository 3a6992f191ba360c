"""Signatures of uploads by Ed25519: over the bytes of the file, or inside the portal's own format.

Beside a file, the signature is of its bytes, unpacked: `openssl pkeyutl -sign -rawin -inkey
key.pem -in run.json`. Inside the portal's own format it is of the file as JSON without the member
`signature`, with sorted keys and no space, in UTF-8. It proves who, and that nothing was changed
since; never that the numbers are true. Pure.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
    load_ssh_public_key,
)

LENGTH: Final = 32
SIGNATURE_LENGTH: Final = 64


class BadKeyError(Exception):
    """The message says what is wrong with the key."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature as it came, and the bytes it must be of."""

    key_id: str
    value: bytes
    message: bytes


def public_key(text: str) -> bytes:
    """The 32 bytes of a key that was pasted as PEM, as an OpenSSH line, base64 or hex."""
    text = text.strip()
    try:
        if text.startswith("-----BEGIN"):
            return _raw(load_pem_public_key(text.encode()))
        if text.startswith("ssh-"):
            return _raw(load_ssh_public_key(text.encode()))
        raw = bytes.fromhex(text) if len(text) == 2 * LENGTH else _base64(text)
    except (ValueError, UnsupportedAlgorithm):
        raise BadKeyError("This is not a public key.") from None
    if len(raw) != LENGTH:
        raise BadKeyError("An Ed25519 key has 32 bytes.")
    return raw


def _raw(key: object) -> bytes:
    if not isinstance(key, Ed25519PublicKey):
        raise BadKeyError("Only Ed25519 keys are taken.")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def key_id(raw: bytes) -> str:
    """What a key is called: SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


def beside(value: str, *, key: str, file: bytes) -> Signature:
    """A signature that was sent next to the file. Raises ValueError."""
    return Signature(key.strip().lower(), _decoded(value), file)


def inside(data: Mapping[str, Any]) -> Signature | None:
    """The signature in a file of the portal's own format. Raises ValueError."""
    found = data.get("signature")
    if not isinstance(found, Mapping):
        return None
    return Signature(
        str(found.get("key_id", "")).strip().lower(),
        _decoded(str(found.get("value", ""))),
        canonical(data),
    )


def canonical(data: Mapping[str, Any]) -> bytes:
    """What is signed inside a file."""
    rest = {name: value for name, value in data.items() if name != "signature"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def is_good(signature: Signature, public: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature.value, signature.message)
    except InvalidSignature:
        return False
    return True


def _decoded(value: str) -> bytes:
    text = value.strip()
    found = bytes.fromhex(text) if len(text) == 2 * SIGNATURE_LENGTH else _base64(text)
    if len(found) != SIGNATURE_LENGTH:
        raise ValueError("an Ed25519 signature has 64 bytes")
    return found


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return base64.b64decode(text, validate=True)
