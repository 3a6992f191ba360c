"""The rules of a vote and what was found, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.members.eligibility import Answer, Constituency, Rule, Step

CONSTITUENCIES: Final[Mapping[Constituency, Promise]] = {
    Constituency.MEMBERS: gettext_lazy("Corporate members"),
    Constituency.CONTRIBUTORS: gettext_lazy("Contributors"),
}
RULES: Final[Mapping[Rule, Promise]] = {
    Rule.TERM: gettext_lazy("A paid term runs"),
    Rule.TAKES_PART: gettext_lazy("It takes part in governance"),
    Rule.SPEAKER: gettext_lazy("Somebody speaks for it"),
    Rule.STANDING: gettext_lazy("The standing as contributor runs"),
    Rule.ACCEPTED: gettext_lazy("The person accepted"),
    Rule.ACCOUNT: gettext_lazy("The account holds the role"),
}


def explain(step: Step) -> str:
    """What was found, as a sentence."""
    if step.met is None:
        return _("Not asked, as an earlier rule is not met.")
    return SENTENCES[step.rule](bool(step.met), step.found)


def summary(answer: Answer) -> str:
    """Why, in one sentence."""
    obstacle = answer.obstacle
    if obstacle is not None:
        return explain(obstacle)
    return _("%(name)s casts the vote.") % {"name": answer.voter_name}


def _day(value: object) -> str:
    return date_format(timezone.localtime(value), "j M Y") if isinstance(value, datetime) else ""


def _no_span(found: Mapping[str, Any], never: str, ended: str, begins: str) -> str:
    if found.get("begins"):
        return begins % {"day": _day(found["begins"])}
    if found.get("ended"):
        return ended % {"day": _day(found["ended"])}
    return never


def _term(met: bool, found: Mapping[str, Any]) -> str:
    paid = _day(found.get("paid_until"))
    if met:
        words = _("%(tier)s, from %(since)s to %(paid)s.")
        if found.get("in_grace"):
            words = _("%(tier)s ended on %(paid)s; it counts on until %(until)s, to be renewed.")
        days = {"since": _day(found["since"]), "until": _day(found["until"])}
        return words % {"tier": found["tier"], **days, "paid": paid or days["until"]}
    ended = _("Its last term ended on %(day)s. A renewal gives the vote back.")
    if paid and paid != _day(found["ended"]) and not found.get("begins"):
        ended = _(
            "Its last term ended on %(paid)s, and the time to renew it on %(day)s."
            " A renewal gives the vote back."
        ) % {"paid": paid, "day": _day(found["ended"])}
    return _no_span(
        found,
        _("It never had a paid term."),
        ended,
        _("Its term begins on %(day)s only."),
    )


def _takes_part(met: bool, found: Mapping[str, Any]) -> str:
    if met:
        return _("As a %(kind)s it has one vote, whatever it pays.") % {"kind": found["kind"]}
    words = _("A %(kind)s supports and does not vote. A tier with a vote changes that.")
    return words % {"kind": found["kind"]}


def _speaker(met: bool, found: Mapping[str, Any]) -> str:
    if not met:
        return _("No owner has an account. Name one and let them take the role.")
    since = _day(found["since"])
    said = _("%(name)s, owner since %(since)s.") % {"name": found["name"], "since": since}
    if found["others"]:
        more = _("Of several owners the first speaks; the others are %(names)s.")
        said = f"{said} {more % {'names': ', '.join(found['others'])}}"
    return said


def _standing(met: bool, found: Mapping[str, Any]) -> str:
    if met:
        days = {"since": _day(found["since"]), "until": _day(found["until"])}
        return _("From %(since)s to %(until)s.") % days
    return _no_span(
        found,
        _("The person was never a contributor. Anybody can nominate one."),
        _("It ended on %(day)s. A new nomination brings it back."),
        _("It begins on %(day)s only."),
    )


def _accepted(met: bool, found: Mapping[str, Any]) -> str:
    if met:
        return _("On %(day)s.") % {"day": _day(found["accepted"])}
    if found["accepted"]:
        return _("Only on %(day)s.") % {"day": _day(found["accepted"])}
    return _("The invitation was not accepted. It waits on the page of contributors.")


def _account(met: bool, found: Mapping[str, Any]) -> str:
    if met:
        return _("It is open and holds the role on that day.")
    return _("It was closed, or the role ended. The staff can tell why.")


SENTENCES: Final[Mapping[Rule, Callable[[bool, Mapping[str, Any]], str]]] = {
    Rule.TERM: _term,
    Rule.TAKES_PART: _takes_part,
    Rule.SPEAKER: _speaker,
    Rule.STANDING: _standing,
    Rule.ACCEPTED: _accepted,
    Rule.ACCOUNT: _account,
}
