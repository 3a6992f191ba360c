"""A tie decided by lot, so that everybody can draw it again and nobody could steer it.

Before the vote a nonce is drawn and its hash is shown; after it the nonce is. The lot is drawn from
the nonce and from how every seat stands: a voter does not know the nonce, and whoever knows it
could not choose it after the votes were given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from governance.tally.rollcall import Choice, Standing

NONCE_BYTES = 32


def commitment(nonce: bytes) -> str:
    """What is shown while the vote runs: SHA-256 of the nonce, in hexadecimal."""
    return hashlib.sha256(nonce).hexdigest()


def seed(nonce: bytes, text_sha256: str, standing: Mapping[int, Standing]) -> str:
    """SHA-256 of the nonce and of lines of text: the hash of the motion, then `seat standing`.

    Seats are in rising order; every line ends with a line feed.
    """
    seats = [f"{seat} {standing[seat].value}" for seat in sorted(standing)]
    lines = "".join(f"{line}\n" for line in [text_sha256, *seats])
    return hashlib.sha256(nonce + lines.encode()).hexdigest()


def draw(seed_hex: str) -> Choice:
    """Yes for an even last digit of the seed, no for an odd one."""
    return Choice.NO if int(seed_hex[-1], 16) % 2 else Choice.YES
