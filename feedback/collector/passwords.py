"""How a client proves that it knows a password, in the ways that MariaDB servers ask. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from .ed25519 import sign
from .packets import ProtocolError

NATIVE: Final = "mysql_native_password"
CLEAR: Final = "mysql_clear_password"


def answer(plugin: str, password: str, challenge: bytes, *, over_tls: bool) -> bytes:
    """What to reply to a challenge; ProtocolError where we cannot, or must not."""
    if plugin not in PLUGINS:
        raise ProtocolError(f"the account signs in by {plugin}, which the collector cannot")
    if plugin == CLEAR and not over_tls:
        raise ProtocolError("the server wants the password in clear and offers no TLS")
    return PLUGINS[plugin](password, challenge)


def _native(password: str, challenge: bytes) -> bytes:
    """SHA1(password) hidden by SHA1(challenge, SHA1(SHA1(password)))."""
    if not password:
        return b""
    once = hashlib.sha1(password.encode(), usedforsecurity=False).digest()
    twice = hashlib.sha1(once, usedforsecurity=False).digest()
    mask = hashlib.sha1(challenge[:20] + twice, usedforsecurity=False).digest()
    hidden = int.from_bytes(once, "big") ^ int.from_bytes(mask, "big")
    return hidden.to_bytes(len(once), "big")


def _clear(password: str, challenge: bytes) -> bytes:
    return password.encode() + b"\0"


def _ed25519(password: str, challenge: bytes) -> bytes:
    return sign(password.encode(), challenge[:32])


PLUGINS: Final[dict[str, Callable[[str, bytes], bytes]]] = {
    NATIVE: _native,
    CLEAR: _clear,
    "client_ed25519": _ed25519,
}
