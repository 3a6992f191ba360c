"""The quorum in words."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import Quorum, QuorumBase, QuorumBy, quorum_needed


def sentences(rule_set: RuleSet, example: Example) -> list[str]:
    rules = rule_set.rules
    if rules.quorum is Quorum.NONE:
        return [_("There is no quorum: the votes that are given decide.")]
    words = {"part": part(rules.quorum), "base": base(rules.quorum_base)}
    asked = {
        QuorumBy.PRESENT: _("%(part)s of %(base)s must take part; else nothing is decided."),
        QuorumBy.BALLOTS: _(
            "%(part)s of %(base)s must cast a ballot, be it yes, no or an abstention; "
            "else the vote is void."
        ),
        QuorumBy.YES: _("%(part)s of %(base)s must say yes; else the motion fails."),
    }[rules.quorum_by]
    return [capfirst(asked % words), _example(rule_set, example)]


def part(quorum: Quorum) -> str:
    return {
        Quorum.NONE: _("none"),
        Quorum.TENTH: _("a tenth"),
        Quorum.QUARTER: _("a quarter"),
        Quorum.THIRD: _("a third"),
        Quorum.HALF: _("half"),
        Quorum.MAJORITY: _("more than half"),
        Quorum.TWO_THIRDS: _("two thirds"),
        Quorum.SQUARE_ROOT: _("three halves of the square root"),
    }[quorum]


def base(quorum_base: QuorumBase) -> str:
    return {
        QuorumBase.FIXED: _("all voting seats, vacant ones included,"),
        QuorumBase.FILLED: _("the voting seats that are filled"),
        QuorumBase.ELIGIBLE: _("the members on the roll"),
    }[quorum_base]


def _example(rule_set: RuleSet, example: Example) -> str:
    of = example.base(rule_set)
    words = {"needed": quorum_needed(rule_set.rules.quorum, of), "of": of}
    return _("Of %(of)s, that is %(needed)s.") % words
