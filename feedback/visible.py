"""Text of strangers, made safe to look at: nothing in it is hidden. Pure.

>>> visible("a\\x00b\\x1b[31m\\u202ec")
'a␀b␛[31m�c'
"""

from __future__ import annotations

import unicodedata
from typing import Final

MOST: Final = 50_000  # letters of a page
_KEPT: Final = "\n\t"


def visible(text: str) -> str:
    """Control characters as their pictures; what turns the direction of writing, or shows nothing,
    as a question mark.
    """
    return "".join(letter if letter.isalnum() else _seen(letter) for letter in text)


def _seen(letter: str) -> str:
    if letter in _KEPT or unicodedata.category(letter) not in {"Cc", "Cf", "Co", "Cn", "Cs"}:
        return letter
    code = ord(letter)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"
