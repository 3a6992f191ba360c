"""What changed between two texts, word for word; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

WORDS: Final = re.compile(r"\s+|\d+(?:[.,]\d+)+|\w+|[^\w\s]")  # 5,000 is one of them
LINES: Final = 4000  # beyond that many pieces, whole lines are compared instead of words


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text: `same`, `out` of the first or `into` the second."""

    change: str
    text: str


def redline(before: str, after: str) -> list[Piece]:
    """The pieces in reading order; what went out stands before what came in."""
    old, new = _pieces(before), _pieces(after)
    if len(old) + len(new) > LINES:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return list(_merged(old, new))


def _merged(old: list[str], new: list[str]) -> Iterator[Piece]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        if b > a:
            yield Piece("out", "".join(old[a:b]))
        if d > c:
            yield Piece("into", "".join(new[c:d]))


def _pieces(text: str) -> list[str]:
    return WORDS.findall(text.replace("\r\n", "\n"))
