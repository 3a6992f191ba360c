"""How a body meets, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import QuorumBase


def sentences(rule_set: RuleSet, example: Example) -> list[str]:
    """A class of members does not meet; nothing is said where nothing is asked."""
    rule, told = rule_set.meeting_rule, []
    if rule_set.quorum_base == QuorumBase.ELIGIBLE:
        return []
    if rule.notice_days:
        words = ngettext(
            "A meeting is announced at least %(count)s day before it.",
            "A meeting is announced at least %(count)s days before it.",
            rule.notice_days,
        )
        told.append(words % {"count": rule.notice_days})
    if rule.absent_may_vote:
        told.append(
            _("Who is absent from a meeting may vote in it, by a proxy or in writing beforehand.")
        )
    elif told:
        told.append(_("In a meeting only those who are there vote."))
    return told
