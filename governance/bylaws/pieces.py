"""A text of bylaws in pieces, so that one clause is changed without scrolling past the rest; pure.

Each item of the text is a piece, with its number in front and its paragraphs in one line each.
At the end of each article, and of the whole, stands an empty piece for what is new there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from governance.bylaws.text import ARTICLE, CLAUSE, Item, Kind

NEW_ARTICLE: Final = "more"
PLACE: Final = re.compile(r"preamble|more|(?:[ac]|more-)\d{1,3}[a-z]?(?:\.\d{1,3}[a-z]?)*")
GAP: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """`place` is the anchor of an item, or `more-4` and `more` for what is new."""

    place: str
    text: str

    @property
    def is_title(self) -> bool:
        return self.place.startswith("a")

    @property
    def begins_as_it_should(self) -> bool:
        """Whether it is told apart from the piece before it; what is empty is taken out."""
        if not self.text:
            return True
        if self.is_title or self.place == NEW_ARTICLE:
            return ARTICLE.match(self.text) is not None
        is_numbered = "." in self.place or self.place.startswith("more-")
        return not is_numbered or CLAUSE.match(self.text) is not None


def pieces(items: Sequence[Item]) -> list[Piece]:
    """All of a text, in reading order."""
    found: list[Piece] = []
    article = ""
    for item in items:
        if item.kind is Kind.TITLE:
            found += _further(article)
            article = item.number
        found.append(Piece(item.anchor, item.flowing_source))
    return [*found, *_further(article), Piece(NEW_ARTICLE, "")]


def as_kept(parts: Iterable[Piece], *texts: Sequence[Item]) -> list[Piece]:
    """The pieces, of which those that say what an item said have its lines again.

    What nobody changed stays byte for byte as it was adopted; of many texts the first one counts.
    """
    known = {
        (item.anchor, item.flowing_source): item.source
        for items in reversed(texts)
        for item in items
    }
    return [Piece(part.place, known.get((part.place, part.text), part.text)) for part in parts]


def joined(parts: Iterable[Piece]) -> str:
    """The text that the pieces make."""
    return GAP.join(part.text for part in parts if part.text) + "\n"


def at_line(parts: Iterable[Piece], line: int) -> tuple[str, int]:
    """In which piece a line of the joined text stands, and which of its lines that is."""
    first = 1
    for part in parts:
        if part.text:
            after = first + part.text.count("\n") + len(GAP)
            if line < after:
                return part.place, line - first + 1
            first = after
    return NEW_ARTICLE, 1


def next_number(parts: Iterable[Piece], article: str) -> str:
    """What a further clause of the article would be called: 4.6 after 4.5."""
    numbers = (re.match(rf"c{article}\.(\d+)", part.place) for part in parts)
    last = max((int(found[1]) for found in numbers if found), default=0)
    return f"{article}.{last + 1}"


def _further(article: str) -> list[Piece]:
    return [Piece(f"more-{article}", "")] if article else []
