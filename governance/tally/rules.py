"""The rules a named vote is counted by: each parameter is one line of some bylaw."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class QuorumBase(StrEnum):
    FIXED = "fixed"  # all voting seats, vacant ones too
    FILLED = "filled"  # the seats that somebody holds


class Quorum(StrEnum):
    """The part of the base that must be present."""

    THIRD = "third"
    HALF = "half"
    MAJORITY = "majority"  # more than half
    TWO_THIRDS = "two_thirds"


class PassBase(StrEnum):
    """What yes votes are measured against."""

    PRESENT = "present"  # everyone who answered; an abstention counts against
    CAST = "cast"  # yes and no only; an abstention counts for neither
    FILLED = "filled"
    FIXED = "fixed"


class Threshold(StrEnum):
    SIMPLE = "simple"  # more yes than no, whatever the base
    STRICT = "strict"  # more than half of the base
    TWO_THIRDS = "two_thirds"
    THREE_QUARTERS = "three_quarters"
    RATIO = "ratio"  # yes : no at least N : 1, whatever the base


class Tie(StrEnum):
    STATUS_QUO = "status_quo"  # a tie changes nothing: the motion fails
    CASTING_VOTE = "casting_vote"  # the chair's side gets one vote more


SHARES = {
    Threshold.TWO_THIRDS: Fraction(2, 3),
    Threshold.THREE_QUARTERS: Fraction(3, 4),
}
QUORUM_SHARES = {
    Quorum.THIRD: Fraction(1, 3),
    Quorum.HALF: Fraction(1, 2),
    Quorum.TWO_THIRDS: Fraction(2, 3),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """One version of a rule set, as numbers."""

    quorum_base: QuorumBase = QuorumBase.FIXED
    quorum: Quorum = Quorum.MAJORITY
    pass_base: PassBase = PassBase.PRESENT
    threshold: Threshold = Threshold.STRICT
    ratio: int = 1
    minimum_yes: int = 1
    recused_count_for_quorum: bool = True
    recused_leave_base: bool = True
    tie: Tie = Tie.STATUS_QUO


def quorum_needed(quorum: Quorum, base: int) -> int:
    """How many must be present, of `base` seats; never none."""
    if quorum is Quorum.MAJORITY:
        return base // 2 + 1
    return max(1, ceiling(QUORUM_SHARES[quorum] * base))


def yes_needed(rules: Rules, *, base: int, no: int) -> int:
    """How many yes votes carry the motion; at least the minimum of the rule, never none."""
    return max(1, rules.minimum_yes, by_threshold(rules, base=base, no=no))


def by_threshold(rules: Rules, *, base: int, no: int) -> int:
    """The threshold alone, before a minimum of yes votes is asked."""
    if rules.threshold is Threshold.SIMPLE:
        return no + 1
    if rules.threshold is Threshold.STRICT:
        return base // 2 + 1
    if rules.threshold is Threshold.RATIO:
        return rules.ratio * no
    return ceiling(SHARES[rules.threshold] * base)


def ceiling(value: Fraction) -> int:
    """The smallest whole number that is not below `value`."""
    return -(-value.numerator // value.denominator)
