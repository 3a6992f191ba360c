"""How many have to take part, or to agree, before a vote decides anything."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from math import isqrt

from governance.tally.rules.majority import ceiling


class QuorumBase(StrEnum):
    FIXED = "fixed"  # all voting seats, vacant ones too
    FILLED = "filled"  # the seats that somebody holds
    ELIGIBLE = "eligible"  # the members on the roll


class Quorum(StrEnum):
    """The part of the base that is asked for."""

    NONE = "none"
    TENTH = "tenth"
    QUARTER = "quarter"
    THIRD = "third"
    HALF = "half"
    MAJORITY = "majority"  # more than half
    TWO_THIRDS = "two_thirds"
    SQUARE_ROOT = "square_root"  # three halves of the square root of the base


class QuorumBy(StrEnum):
    """Who is counted towards it."""

    PRESENT = "present"  # who answered; recused too, where the rules of recusal say so
    BALLOTS = "ballots"  # who cast a ballot: yes, no or abstention
    YES = "yes"  # who said yes: a quorum of the option, without it the motion fails


QUORUM_SHARES = {
    Quorum.TENTH: Fraction(1, 10),
    Quorum.QUARTER: Fraction(1, 4),
    Quorum.THIRD: Fraction(1, 3),
    Quorum.HALF: Fraction(1, 2),
    Quorum.TWO_THIRDS: Fraction(2, 3),
}


def quorum_needed(quorum: Quorum, base: int) -> int:
    """How many are asked for, of `base`; at least one, unless the rules ask for none."""
    if quorum is Quorum.NONE:
        return 0
    if quorum is Quorum.MAJORITY:
        return base // 2 + 1
    if quorum is Quorum.SQUARE_ROOT:
        return max(1, _three_halves_of_the_root(base))
    return max(1, ceiling(QUORUM_SHARES[quorum] * base))


def _three_halves_of_the_root(base: int) -> int:
    """The smallest whole number that is not below 3 × √base ÷ 2, in whole numbers throughout."""
    root = isqrt(9 * base)  # of (3 × √base)², rounded down
    root += root * root < 9 * base
    return -(-root // 2)
