"""What stepping aside does, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import PassBase, QuorumBy, Rules


def sentences(rule_set: RuleSet, example: Example) -> list[str]:
    rules = rule_set.rules
    told = [counted(rules)]
    if rule_set.recused_see_no_papers:
        told.append(_("Who recused does not read the papers of the motion."))
    else:
        told.append(_("Who recused may still read the papers of the motion."))
    if rules.disinterested_majority:
        told.append(
            _(
                "Once somebody recused, the motion is valid only if more than half of the others "
                "in office say yes."
            )
        )
    return told


def counted(rules: Rules) -> str:
    """What a recusal does to quorum and base."""
    for_quorum = rules.recused_count_for_quorum and rules.quorum_by is QuorumBy.PRESENT
    if not rules.asks_base:
        if for_quorum:
            return _("A recusal counts for the quorum only.")
        return _("A recusal counts for nothing.")
    leaves = rules.recused_leave_base or rules.pass_base is PassBase.CAST
    return {
        (True, True): _("A recusal leaves the base but counts for the quorum."),
        (True, False): _("A recusal leaves the base and does not count for the quorum."),
        (False, True): _("A recusal stays in the base and counts for the quorum."),
        (False, False): _("A recusal stays in the base but does not count for the quorum."),
    }[leaves, for_quorum]
