"""The majority in words, and what happens in a tie."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import (
    PassBase,
    QuorumBase,
    Rules,
    Threshold,
    Tie,
    by_threshold,
)


def sentences(rule_set: RuleSet, example: Example) -> list[str]:
    rules = rule_set.rules
    told = [needed(rules), *_example(rules, example), abstention(rules), *_absence(rules)]
    if rules.minimum_yes > 1:
        told.append(
            _("At least %(count)s must say yes, whatever the others do.")
            % {"count": rules.minimum_yes}
        )
    if rules.per_class:
        told.append(
            _(
                "The same is asked of every constituency by itself, counting those who hold its "
                "seats: one constituency alone can stop a motion."
            )
        )
    return told


def needed(rules: Rules) -> str:
    words = {"base": base(rules), "ratio": rules.ratio}
    if rules.threshold is Threshold.UNANIMOUS and rules.pass_base is PassBase.CAST:
        return _("Nobody may say no.")
    return {
        Threshold.SIMPLE: _("More must say yes than say no."),
        Threshold.STRICT: _("More than half of %(base)s must say yes."),
        Threshold.TWO_THIRDS: _("Two thirds of %(base)s must say yes."),
        Threshold.THREE_QUARTERS: _("Three quarters of %(base)s must say yes."),
        Threshold.UNANIMOUS: _("All of %(base)s must say yes."),
        Threshold.RATIO: ngettext(
            "For each who says no, %(ratio)s must say yes.",
            "For each who says no, %(ratio)s must say yes.",
            rules.ratio,
        ),
    }[rules.threshold] % words


def base(rules: Rules) -> str:
    on_roll = rules.quorum_base is QuorumBase.ELIGIBLE
    return {
        PassBase.PRESENT: _("those who take part"),
        PassBase.CAST: _("the yes and no votes together"),
        PassBase.FILLED: _("all on the roll") if on_roll else _("all in office, present or not,"),
        PassBase.FIXED: _("all voting seats, vacant ones included,"),
    }[rules.pass_base]


def abstention(rules: Rules) -> str:
    if rules.pass_base is PassBase.CAST or not rules.asks_base:
        return _("An abstention counts for neither side.")
    return _("An abstention stays in the base and so works against the motion.")


def _absence(rules: Rules) -> list[str]:
    if rules.asks_base and rules.pass_base in {PassBase.FILLED, PassBase.FIXED}:
        return [_("Staying away works against the motion too.")]
    return []


def _example(rules: Rules, example: Example) -> list[str]:
    if not rules.asks_base:
        no = max(1, example.filled // 4)
        words = {"no": no, "yes": max(1, by_threshold(rules, base=0, no=no))}
        return [_("Against %(no)s no, %(yes)s yes are needed.") % words]
    of = example.seats if rules.pass_base is PassBase.FIXED else example.filled
    words = {"of": of, "yes": max(1, by_threshold(rules, base=of, no=0))}
    if rules.pass_base is PassBase.CAST:
        return [_("Of %(of)s yes and no votes, %(yes)s must be yes.") % words]
    if rules.pass_base is PassBase.PRESENT:
        return [_("If %(of)s take part, %(yes)s must say yes.") % words]
    return [_("Of %(of)s, %(yes)s must say yes.") % words]


def tie(rule_set: RuleSet, example: Example) -> list[str]:
    """As many yes as no; only a simple or strict majority can be missed by a tie."""
    rules = rule_set.rules
    if rules.threshold not in {Threshold.SIMPLE, Threshold.STRICT}:
        return [_("As many yes as no is no majority here: the motion fails.")]
    return {
        Tie.STATUS_QUO: [_("As many yes as no: the motion fails, and nothing changes.")],
        Tie.CASTING_VOTE: [
            _("As many yes as no: the side on which the chair voted gets one vote more."),
            _("A chair who abstained, recused or stayed away decides nothing."),
        ],
        Tie.LOT: [
            _("As many yes as no: a lot decides."),
            _(
                "Its secret is fixed when the vote opens, shown as a hash while it runs, and told "
                "at the end, so that everybody can draw the lot again."
            ),
        ],
    }[rules.tie]
