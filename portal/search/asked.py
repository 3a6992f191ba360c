"""What a visitor asks for, and the forms in which the database needs it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from portal.lib import words

MOST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    at: dt.datetime

    @property
    def parts(self) -> list[str]:
        """The words that must be there, for names and numbers, which have no grammar."""
        found = [part for part in re.split(r'[\s"]+', self.text) if part and part.lower() != "or"]
        return [part for part in found if not part.startswith("-")][:MOST_WORDS]

    @property
    def parameters(self) -> dict[str, Any]:
        """For SQL: the question in full text, and a pattern for the beginning of each word."""
        patterns = [rf"\m{re.escape(part)}" for part in self.parts]
        return {
            "config": words.CONFIG,
            "text": self.text[: words.LONGEST],
            "patterns": patterns or ["^$"],  # nothing is called so
        }


class Row(NamedTuple):
    """One thing that was found, and how many of its kind there are."""

    kind: str
    key: str
    title: str
    text: str
    on: dt.datetime | None
    rank: float
    total: int


class Share(NamedTuple):
    """Which of the things of a kind are shown."""

    first: int
    last: int
