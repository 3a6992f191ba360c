"""Versions as numbers that order them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PATTERN: Final = re.compile(
    r"(?P<numbers>(?:0|[1-9][0-9]{0,5})(?:\.(?:0|[1-9][0-9]{0,5})){0,3})"
    r"(?:[-~](?P<stage>preview|alpha|beta|gamma|rc)\.?(?P<count>0|[1-9][0-9]{0,3})?)?"
)
OF_PACKAGE: Final = re.compile(
    r"(?:[0-9]+:)?(?P<numbers>[0-9]+(?:\.[0-9]+)*)(?P<rest>.*)", re.DOTALL
)
STAGE: Final = re.compile(
    r"[-~_.+](?P<stage>preview|alpha|beta|gamma|rc)\.?(?P<count>[0-9]{1,4})?(?![a-z])"
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
            "a version is numbers with dots and no leading zeros,"
            " perhaps -alpha, -beta or -rc and a number"
        )
    numbers = [int(part) for part in found["numbers"].split(".")]
    a, b, c, d = numbers + [0] * (NUMBERS - len(numbers))
    return Version((a, b, c, d), STAGES[found["stage"]], int(found["count"] or 0))


def of_package(text: str) -> Version | None:
    """The version that a package says it holds: 12.3.0 of "1:12.3.0+maria~deb12-1", a candidate of
    "12.3.0~rc1" and of "12.3.0-0.rc1.el9". None when it cannot be one of ours.
    """
    found = OF_PACKAGE.match(text)
    stage = STAGE.search(found["rest"]) if found else None
    name = found["numbers"] if found else ""
    try:
        return parse(f"{name}-{stage['stage']}{stage['count'] or ''}" if stage else name)
    except ValueError:
        return None


def begins_with(text: str, series: str) -> bool:
    """Whether the version is of this series: "12.3.0-rc1" of "12.3", "12.30.1" not."""
    own, of_series = (re.split("[-~]", name)[0].split(".") for name in (text, series))
    return own[: len(of_series)] == of_series
