"""The rules a named vote is counted by."""

from __future__ import annotations

from dataclasses import dataclass

from governance.tally.rules.majority import SHARES, WITHOUT_BASE, PassBase, Threshold, ceiling
from governance.tally.rules.quorum import Quorum, QuorumBase, QuorumBy
from governance.tally.rules.tie import Tie


@dataclass(frozen=True, slots=True)
class Rules:
    """What one version of a rule set says about counting, as numbers."""

    quorum_base: QuorumBase = QuorumBase.FIXED
    quorum: Quorum = Quorum.MAJORITY
    pass_base: PassBase = PassBase.PRESENT
    threshold: Threshold = Threshold.STRICT
    ratio: int = 1
    minimum_yes: int = 1
    recused_count_for_quorum: bool = True
    recused_leave_base: bool = True
    tie: Tie = Tie.STATUS_QUO
    quorum_by: QuorumBy = QuorumBy.PRESENT
    per_class: bool = False  # the majority is asked of every constituency too
    disinterested_majority: bool = False  # once somebody recused: of the others in office too

    @property
    def asks_base(self) -> bool:
        """Whether yes votes are measured against a base, or against the no votes alone."""
        return self.threshold not in WITHOUT_BASE

    @property
    def breaks_ties(self) -> bool:
        """Whether as many yes as no can still be carried; more than a majority never ties."""
        return self.tie is not Tie.STATUS_QUO and self.threshold in {
            Threshold.SIMPLE,
            Threshold.STRICT,
        }


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
