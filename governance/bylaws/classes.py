"""Which classes of members have to agree to a change of bylaws, and by which rules they vote."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from governance.actions.roster import eligible
from governance.models import Bylaws, Motion, RuleSet
from governance.motions.counting import of_class
from governance.refusals import Refusal
from governance.tally.rules import MemberVote

Electorate = Motion.Electorate
ASKED: Final[Mapping[MemberVote, tuple[Electorate, ...]]] = {
    MemberVote.NONE: (),
    MemberVote.CONTRIBUTORS: (Electorate.CONTRIBUTORS,),
    MemberVote.MEMBERS: (Electorate.MEMBERS,),
    MemberVote.BOTH: (Electorate.CONTRIBUTORS, Electorate.MEMBERS),
}


def asked(rules: RuleSet, at: datetime) -> list[Electorate]:
    """The classes that have to agree; one with nobody on its roll is not asked."""
    classes = ASKED[rules.bylaw_change.member_vote]
    return [each for each in classes if eligible(each, at)]


def would_be_asked(motion: Motion, rules: RuleSet) -> tuple[Electorate, ...]:
    """The classes that a change of bylaws goes to once the body has carried it."""
    return ASKED[rules.bylaw_change.member_vote] if hasattr(motion, "proposal") else ()


def without_rules(rules: RuleSet, bylaws: Bylaws, at: datetime) -> Refusal | None:
    """Why nobody could put the change to the members when the body has carried it."""
    for electorate in asked(rules, at):
        if of_class(electorate, bylaws.subject, at) is None:
            return Refusal(
                _("It needs a vote of a class too (%(class)s), which has no rules for it.")
                % {"class": electorate.label}
                + " "
                + _("Ask staff to write them.")
            )
    return None
