"""Versions as numbers that order them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PATTERN: Final = re.compile(
    r"(?P<numbers>\d{1,6}(?:\.\d{1,6}){0,3})(?:[-~](?P<stage>preview|alpha|beta|gamma|rc)\.?(?P<count>\d{1,4})?)?"
)
NUMBERS: Final = 4
STAGES: Final = {"preview": 1, "alpha": 2, "beta": 3, "gamma": 4, "rc": 5, None: 9}


@dataclass(frozen=True, order=True, slots=True)
class Version:
    """Four numbers, then the stage of a build before the final one, then its count."""

    numbers: tuple[int, int, int, int]
    stage: int
    count: int

    @property
    def fields(self) -> list[int]:
        """As the six integers that the database orders by."""
        return [*self.numbers, self.stage, self.count]


def parse(text: str) -> Version:
    """The version of "12.3.0", "11.8" or "2.0.0-rc1". Raises ValueError."""
    found = PATTERN.fullmatch(text)
    if found is None:
        raise ValueError(
            "a version is numbers with dots, perhaps -alpha, -beta or -rc and a number"
        )
    numbers = [int(part) for part in found["numbers"].split(".")]
    a, b, c, d = numbers + [0] * (NUMBERS - len(numbers))
    return Version((a, b, c, d), STAGES[found["stage"]], int(found["count"] or 0))
