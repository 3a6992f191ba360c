"""The name of a voter's line on the sheet of a confidential election, and whose chance is in it.

The portal draws 32 bytes and the voter gives words of their own. Both make the receipt key, and the
key with the election makes the name. So the portal cannot give two voters who vote alike the same
line: it would need two words with one hash. Who has the receipt works the name out anew.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

DRAWN: Final = 32  # bytes that the portal gives
FEWEST: Final = 12  # letters that the voter gives
MOST: Final = 100
_KEY: Final = b"foundation-portal receipt key 1\n"


def key_of(drawn: bytes, words: str) -> bytes:
    """The receipt key. Raises ValueError where the portal gave another number of bytes."""
    if len(drawn) != DRAWN:
        raise ValueError(f"the portal gives {DRAWN} bytes")
    return sha256(_KEY + drawn + words.encode()).digest()


def name_of(key: bytes, election: str) -> str:
    """The name of the line: HMAC-SHA256 of the election's short name, in hexadecimal."""
    return hmac.new(key, election.encode(), sha256).hexdigest()
