"""The way to a decision, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import RuleSet
from governance.rules.explained.example import Example
from governance.tally.rules import Consent, MemberVote, QuorumBase


def discussion(rule_set: RuleSet, example: Example) -> list[str]:
    rules = rule_set.discussion
    told = [_seconds(rule_set)]
    if rules.days:
        told.append(_days(rules.days, _("It is discussed for at least %(days)s before the vote.")))
    if rules.days and rules.restarts:
        told.append(_("An amendment that is accepted begins this time anew."))
    if rules.lapses_after_weeks:
        told.append(
            ngettext(
                "A motion that nobody touches for %(count)s week lapses.",
                "A motion that nobody touches for %(count)s weeks lapses.",
                rules.lapses_after_weeks,
            )
            % {"count": rules.lapses_after_weeks}
        )
    return told


def _seconds(rule_set: RuleSet) -> str:
    count = rule_set.seconds_needed
    if not count:
        return _("A motion needs no second.")
    told = ngettext(
        "%(count)s other person must second a motion: %(who)s.",
        "%(count)s other people must second a motion: %(who)s.",
        count,
    )
    return told % {"count": count, "who": rule_set.get_may_second_display()}


def opening(rule_set: RuleSet, example: Example) -> list[str]:
    told = [_("The vote is opened by %(who)s.") % {"who": rule_set.get_may_open_display()}]
    hours = rule_set.minimum_hours
    if hours and hours % 24 == 0:
        told.append(_days(hours // 24, _("It stays open for at least %(days)s.")))
    elif hours:
        told.append(
            ngettext(
                "It stays open for at least %(hours)s hour.",
                "It stays open for at least %(hours)s hours.",
                hours,
            )
            % {"hours": hours}
        )
    if rule_set.quorum_base == QuorumBase.ELIGIBLE:
        told.append(_("A vote of members runs to its deadline: all were promised the same days."))
    elif rule_set.early_close:
        told.append(_("It closes early, once no vote to come can change the outcome."))
    else:
        told.append(_("It runs to its deadline, even when the outcome is clear before."))
    return told


def consent(rule_set: RuleSet, example: Example) -> list[str]:
    rule = rule_set.consent_rule
    if rule.consent is Consent.NONE:
        return []
    needed = rule.signatures_needed(rule_set.rules, seats=example.seats, filled=example.filled)
    words = {"needed": needed, "of": example.filled}
    if rule.consent is Consent.UNANIMOUS:
        told = [_("Without a vote it decides only if everybody in office signs.")]
    else:
        told = [
            _("Without a vote it decides if as many sign as would carry it if all were present."),
            _("Of %(of)s, %(needed)s would have to sign.") % words,
        ]
    if rule.days:
        told.append(
            _days(rule.days, _("All signatures are given within %(days)s of the first one."))
        )
    if rule.notice and rule.consent is Consent.AS_IF_PRESENT:
        told.append(_("Those who did not sign are told at once."))
    return told


def change(rule_set: RuleSet, example: Example) -> list[str]:
    rule = rule_set.bylaw_change
    told = []
    if rule.notice_days:
        words = _("Those who decide get the text at least %(days)s before the vote.")
        told.append(_days(rule.notice_days, words))
    if rule.public_discussion_days:
        words = _("Before that it is discussed in public for at least %(days)s.")
        told.append(_days(rule.public_discussion_days, words))
    if rule.member_vote is not MemberVote.NONE:
        told.append(
            _("These must agree too, by their own rules for it: %(who)s.")
            % {"who": rule_set.get_member_vote_display()}
        )
    if rule.effective_after_days:
        words = _("What was adopted is in force %(days)s after the last vote.")
        told.append(_days(rule.effective_after_days, words))
    return told


def _days(count: int, sentence: str) -> str:
    days = ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
    return sentence % {"days": days}
