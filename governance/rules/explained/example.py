from __future__ import annotations

from dataclasses import dataclass

from governance.models import RuleSet
from governance.tally.rules import QuorumBase


@dataclass(frozen=True, slots=True)
class Example:
    """The body that numbers are worked out for."""

    seats: int
    filled: int

    def base(self, rule_set: RuleSet) -> int:
        """What a quorum of this rule set is measured against."""
        is_fixed = rule_set.quorum_base == QuorumBase.FIXED
        return self.seats if is_fixed else self.filled


USUAL = Example(seats=7, filled=7)
