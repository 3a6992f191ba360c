"""A key split among scrutineers: any `needed` of the shares make it again, fewer tell nothing.

A. Shamir, "How to share a secret", Communications of the ACM 22 (1979): the secret is the value at
0 of a polynomial over the numbers below the order of P-256, a share its value at 1, 2, 3 …
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
MOST_SHARES: Final = 100
SALT: Final = 16  # bytes
_LENGTH: Final = 32  # bytes of a number


class ShareError(ValueError):
    """Shares that cannot make the secret; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one scrutineer keeps."""

    place: int  # from 1
    value: int
    salt: bytes

    @property
    def commitment(self) -> str:
        """What the manifest says of the share, so that a wrong one is known for one."""
        text = self.place.to_bytes(1) + self.value.to_bytes(_LENGTH) + self.salt
        return sha256(text).hexdigest()


def split(secret: int, *, needed: int, shares: int) -> list[Share]:
    """So many shares of a number from 1 to below `ORDER`. Raises ShareError for what cannot be."""
    if not 1 <= needed <= shares <= MOST_SHARES:
        raise ShareError(f"{needed} of {shares} shares: from 1 of 1 to all of {MOST_SHARES} can be")
    if not 0 < secret < ORDER:
        raise ShareError("the secret is no private key of P-256")
    line = [secret, *(secrets.randbelow(ORDER) for _ in range(needed - 1))]
    places = range(1, shares + 1)
    return [Share(one, _value(line, one), secrets.token_bytes(SALT)) for one in places]


def combine(found: Iterable[Share], *, needed: int, commitments: list[str]) -> int:
    """The secret. Raises ShareError where a share is not the one that was committed to, or where
    too few are there.
    """
    shares = {share.place: share for share in found}
    for place, share in sorted(shares.items()):
        if not 1 <= place <= len(commitments) or share.commitment != commitments[place - 1]:
            raise ShareError(f"share {place} is not the one that was given out")
    if len(shares) < needed:
        raise ShareError(f"{needed} shares are needed, {len(shares)} are here")
    points = [shares[place] for place in sorted(shares)[:needed]]
    return sum(share.value * _weight(share.place, points) for share in points) % ORDER


def _value(line: list[int], at: int) -> int:
    """Of the polynomial with these coefficients, the constant first (Horner)."""
    value = 0
    for coefficient in reversed(line):
        value = (value * at + coefficient) % ORDER
    return value


def _weight(place: int, points: list[Share]) -> int:
    """Of one point in the value at 0 (Lagrange)."""
    above = below = 1
    for other in points:
        if other.place != place:
            above = above * other.place % ORDER
            below = below * (other.place - place) % ORDER
    return above * pow(below, -1, ORDER) % ORDER
