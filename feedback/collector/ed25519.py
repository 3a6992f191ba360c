"""Signing with Ed25519 (RFC 8032), where the key is made of a password of any length. Pure.

A MariaDB server verifies the same signature as everybody else; only the secret half of the key is
SHA-512 of the password instead of a seed of 32 bytes. Python's standard library has no curve.
"""

from __future__ import annotations

import hashlib
from typing import Final

Point = tuple[int, int, int, int]  # extended coordinates

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ZERO: Final = (0, 1, 1, 0)


def sign(password: bytes, message: bytes) -> bytes:
    """The signature of 64 bytes under the key of a password."""
    hashed = hashlib.sha512(password).digest()
    secret = int.from_bytes(hashed[:32], "little") & (2**254 - 8) | 2**254
    public = _encoded(_times(secret, _BASE))
    nonce = _number(hashed[32:] + message)
    first = _encoded(_times(nonce, _BASE))
    second = (nonce + _number(first + public + message) * secret) % _ORDER
    return first + second.to_bytes(32, "little")


def _number(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % _ORDER


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: Point) -> Point:
    total: Point = _ZERO
    while number:
        if number & 1:
            total = _add(total, point)
        point = _add(point, point)
        number >>= 1
    return total


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _base() -> Point:
    """The point with y = 4/5 and an even x."""
    y = 4 * pow(5, -1, _P) % _P
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    x = _P - x if x % 2 else x
    return x, y, 1, x * y % _P


_BASE: Final = _base()
