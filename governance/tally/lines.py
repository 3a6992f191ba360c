"""One line of the arithmetic of a vote."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Item(StrEnum):
    """What a line of the arithmetic counts."""

    SEATS = "seats"
    VACANT = "vacant"
    IN_OFFICE = "in_office"
    ROLL = "roll"  # of a vote of members
    PRESENT = "present"
    TOOK_PART = "took_part"  # the same, where the quorum is one of yes votes
    ABSENT = "absent"
    RECUSED = "recused"
    ABSTAINED = "abstained"
    BASE = "base"
    OPTION = "option"  # yes votes against the quorum of the option
    CLASS = "class"  # yes votes of a constituency
    DISINTERESTED = "disinterested"  # yes votes against those in office who did not recuse
    NO = "no"
    NEEDED = "needed"
    MINIMUM = "minimum"
    YES = "yes"
    CASTING = "casting"
    LOT = "lot"
    TOTAL = "total"


class Weight(StrEnum):
    """How a bookkeeper sets the line."""

    PLAIN = ""
    RESULT = "result"
    FINAL = "final"


class Rule(StrEnum):
    """The rule a line comes from; a rule set names its bylaw clause."""

    SEATS = "seats"
    QUORUM = "quorum"
    RECUSAL = "recusal"
    PASS = "pass"  # noqa: S105 - a rule, not a word to enter with
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Line:
    item: Item
    value: int  # negative: taken away
    weight: Weight = Weight.PLAIN
    met: bool | None = None
    rule: Rule | None = None
    # Of a further majority: the class, how many of it were needed, and of how many.
    name: str = ""
    needed: int | None = None
    base: int | None = None
