"""Identity tokens of a CI: a JWT that says which repository a job belongs to. Pure.

Verified offline, against keys that were kept before. Its audience names this portal, and where the
CI can (GitHub) the SHA-256 of the file, so that a token of one upload is good for no other. The API
token of the same account is asked for beside it.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

LONGEST: Final = 20_000  # characters of a token
LEEWAY: Final = 60  # seconds: a clock may go a little wrong
COORDINATE: Final = 32  # bytes of a number of P-256
REPOSITORIES: Final = ("repository", "project_path")  # GitHub, GitLab


class BadTokenError(Exception):
    """The message says what is wrong with the token."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the CI says is at work: a repository, and where in it."""

    issuer: str
    repository: str
    ref: str
    commit: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.repository, self.ref, self.commit[:12]) if part)


def audience(base_url: str, sha256: str) -> str:
    """What a token for this file must be made for."""
    return f"{base_url.rstrip('/')}#sha256={sha256}"


def issuer_of(token: str) -> tuple[str, str]:
    """Issuer and key that a token claims, before anything is verified."""
    head, claims, _signature, _signed = _parts(token)
    return str(claims.get("iss", "")), str(head.get("kid", ""))


def verified(token: str, *, jwk: Mapping[str, Any], wanted: str, at: datetime) -> Identity:
    """What a token says. Raises `BadTokenError` for one that cannot be believed."""
    head, claims, signature, signed = _parts(token)
    _check_signature(str(head.get("alg", "")), jwk, signature, signed)
    _check_times(claims, at.timestamp())
    audiences = claims.get("aud")
    told = audiences if isinstance(audiences, list) else [audiences]
    if wanted not in told and wanted.partition("#")[0] not in told:
        raise BadTokenError(f"The token was not made for this file: its audience is not “{wanted}”")
    repository = next((str(claims[name]) for name in REPOSITORIES if claims.get(name)), "")
    if not repository:
        raise BadTokenError("The token names no repository")
    return Identity(
        issuer=str(claims.get("iss", "")),
        repository=repository,
        ref=str(claims.get("ref", ""))[:100],
        commit=str(claims.get("sha", ""))[:64],
    )


def keys_in(data: object) -> list[tuple[str, dict[str, Any]]]:
    """Names and keys of a JSON Web Key Set; those of other kinds are left out."""
    keys = data.get("keys") if isinstance(data, dict) else None
    if not isinstance(keys, list):
        raise BadTokenError("This is not a key set: it has no “keys”")
    named = [one for one in keys if isinstance(one, dict) and isinstance(one.get("kid"), str)]
    return [(one["kid"], one) for one in named if _loads(one)]


def _loads(jwk: Mapping[str, Any]) -> bool:
    try:
        _key(jwk)
    except BadTokenError:
        return False
    return True


def _parts(token: str) -> tuple[dict[str, Any], dict[str, Any], bytes, bytes]:
    pieces = token.strip().split(".")
    if len(pieces) != 3 or len(token) > LONGEST:
        raise BadTokenError("This is not an identity token")
    try:
        head, claims = (json.loads(_bytes(piece)) for piece in pieces[:2])
        signature = _bytes(pieces[2])
    except (ValueError, RecursionError):
        raise BadTokenError("This is not an identity token") from None
    if not isinstance(head, dict) or not isinstance(claims, dict):
        raise BadTokenError("This is not an identity token")
    return head, claims, signature, f"{pieces[0]}.{pieces[1]}".encode()


def _check_signature(
    algorithm: str, jwk: Mapping[str, Any], signature: bytes, signed: bytes
) -> None:
    """The kind of key decides, not what the token would like."""
    key = _key(jwk)
    try:
        if isinstance(key, rsa.RSAPublicKey) and algorithm == "RS256":
            key.verify(signature, signed, padding.PKCS1v15(), SHA256())
            return
        if isinstance(key, ec.EllipticCurvePublicKey) and algorithm == "ES256":
            key.verify(_der(signature), signed, ec.ECDSA(SHA256()))
            return
    except InvalidSignature:
        raise BadTokenError("The signature of the token is not good") from None
    raise BadTokenError("The token is signed in a way that is not taken")


def _der(signature: bytes) -> bytes:
    r, s = (int.from_bytes(part) for part in (signature[:COORDINATE], signature[COORDINATE:]))
    return encode_dss_signature(r, s)


def _key(jwk: Mapping[str, Any]) -> rsa.RSAPublicKey | ec.EllipticCurvePublicKey:
    try:
        if jwk.get("kty") == "RSA":
            return rsa.RSAPublicNumbers(_number(jwk["e"]), _number(jwk["n"])).public_key()
        if jwk.get("kty") == "EC" and jwk.get("crv") == "P-256":
            numbers = (_number(jwk["x"]), _number(jwk["y"]))
            return ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
    except (KeyError, ValueError):
        raise BadTokenError("The key of the CI cannot be read") from None
    raise BadTokenError("The key of the CI is of another kind")


def _check_times(claims: Mapping[str, Any], now: float) -> None:
    times: Iterable[tuple[str, float]] = (
        (name, claims[name]) for name in ("exp", "nbf", "iat") if name in claims
    )
    if not isinstance(claims.get("exp"), int | float):
        raise BadTokenError("The token does not say until when it is good")
    for name, moment in times:
        if not isinstance(moment, int | float) or isinstance(moment, bool):
            raise BadTokenError("The times of the token cannot be read")
        if name == "exp" and now > moment + LEEWAY:
            raise BadTokenError("The token has expired")
        if name != "exp" and now < moment - LEEWAY:
            raise BadTokenError("The token is not good yet")


def _number(text: object) -> int:
    return int.from_bytes(_bytes(str(text)))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None
