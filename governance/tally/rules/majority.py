"""What yes votes are measured against, and how many of that have to be yes."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction


class PassBase(StrEnum):
    """What yes votes are measured against."""

    PRESENT = "present"  # everyone who answered; an abstention counts against
    CAST = "cast"  # yes and no only; an abstention counts for neither
    FILLED = "filled"  # on a roll of members: all who are on it
    FIXED = "fixed"


class Threshold(StrEnum):
    SIMPLE = "simple"  # more yes than no, whatever the base
    STRICT = "strict"  # more than half of the base
    TWO_THIRDS = "two_thirds"
    THREE_QUARTERS = "three_quarters"
    UNANIMOUS = "unanimous"  # all of the base; measured against votes cast: no vote against
    RATIO = "ratio"  # yes : no at least N : 1, whatever the base


SHARES = {
    Threshold.TWO_THIRDS: Fraction(2, 3),
    Threshold.THREE_QUARTERS: Fraction(3, 4),
    Threshold.UNANIMOUS: Fraction(1),
}
WITHOUT_BASE = {Threshold.SIMPLE, Threshold.RATIO}


def ceiling(value: Fraction) -> int:
    """The smallest whole number that is not below `value`."""
    return -(-value.numerator // value.denominator)
