"""Who the voters are, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import Activity, FilledBy, QuorumBase


def cap(rule_set: RuleSet, example: Example) -> list[str]:
    most = rule_set.affiliation_cap.most(example.seats)
    if most is None:
        return []
    told = []
    if rule_set.cap_share:
        words = {"share": rule_set.get_cap_share_display()}
        told.append(_("One employer holds at most %(share)s, rounded down.") % words)
    if rule_set.cap_seats:
        told.append(
            ngettext(
                "One employer holds at most %(count)s seat.",
                "One employer holds at most %(count)s seats.",
                rule_set.cap_seats,
            )
            % {"count": rule_set.cap_seats}
        )
    return [
        *told,
        _("Of %(of)s seats that allows %(most)s.") % {"of": example.seats, "most": most},
    ]


def vacancy(rule_set: RuleSet, example: Example) -> list[str]:
    """A class of members has no seats that could be vacant."""
    rule = rule_set.vacancy
    if rule_set.quorum_base == QuorumBase.ELIGIBLE:
        return []
    told = [_("A seat that falls vacant is filled by: %(who)s.")]
    if rule.filled_by is FilledBy.NOBODY:
        return [_("A seat that falls vacant stays so until the next election.")]
    told.append(_("Who fills it serves %(term)s."))
    if rule.days:
        told.append(
            ngettext(
                "It is filled within %(days)s day.", "It is filled within %(days)s days.", rule.days
            )
        )
    words = {
        "who": rule_set.get_vacancy_filled_by_display(),
        "term": _term(rule_set),
        "days": rule.days,
    }
    return [sentence % words for sentence in told]


def _term(rule_set: RuleSet) -> str:
    return {
        RuleSet.VacancyTerm.REST_OF_TERM: _("the rest of the term"),
        RuleSet.VacancyTerm.NEXT_ELECTION: _("until the next election"),
        RuleSet.VacancyTerm.FULL_TERM: _("a full term"),
    }[RuleSet.VacancyTerm(rule_set.vacancy_term)]


def membership(rule_set: RuleSet, example: Example) -> list[str]:
    """Only rules of a vote of members say who is on the roll."""
    rule = rule_set.membership
    if rule_set.quorum_base != QuorumBase.ELIGIBLE:
        return []
    if rule.record_days:
        words = ngettext(
            "The roll is that of %(count)s day before the vote opens.",
            "The roll is that of %(count)s days before the vote opens.",
            rule.record_days,
        )
        told = [words % {"count": rule.record_days}]
    else:
        told = [_("The roll is that of the day on which the vote opens.")]
    if rule.activity is Activity.NONE:
        return [*told, _("Every member with a vote is on it.")]
    return [*told, _activity(rule.activity) % {"months": rule.affirmation_months}]


def _activity(activity: Activity) -> str:
    return {
        Activity.AFFIRMED: _(
            "On it is who affirmed within the last %(months)s months that they want to vote."
        ),
        Activity.VOTED: _("On it is who took part in the last vote they could take part in."),
        Activity.EITHER: _(
            "On it is who affirmed within the last %(months)s months that they want to vote, or "
            "took part in the last vote they could."
        ),
    }[activity]
