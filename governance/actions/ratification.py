"""Putting a change of bylaws that the body has carried to the members who must agree too."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from governance.actions.letter_round import write_to_roster
from governance.actions.motion import free_slug, freeze
from governance.bylaws import classes as bylaws_classes
from governance.models import LetterRound, Motion, Proposal, Ratification, RuleSet
from governance.motions.counting import of_class
from governance.refusals import Refusal
from portal.lib import audit

USUAL_TIME = timedelta(days=14)


def ask_classes(proposal: Proposal, at: datetime) -> list[Ratification]:
    """Open the vote of each class that has to agree, on the same text; none: nobody has to."""
    motion = proposal.motion
    if motion.rule_set is None:
        return []
    classes = bylaws_classes.asked(motion.rule_set, at)
    return [_ask(proposal, electorate, at) for electorate in classes]


def _ask(proposal: Proposal, electorate: Motion.Electorate, at: datetime) -> Ratification:
    rules = of_class(electorate, proposal.bylaws.subject, at)
    if rules is None:  # it had nobody on its roll when the vote opened: the decision waits
        raise Refusal(_("The class (%(class)s) has no rules for it.") % {"class": electorate.label})
    motion = _copied(proposal.motion, electorate, rules, at)
    ratification = Ratification.objects.create(proposal=proposal, motion=motion)
    motion.deadline = at + max(USUAL_TIME, timedelta(hours=rules.minimum_hours + 1))
    author = motion.proposed_by
    freeze(motion, actor=author, rules=rules, at=at, way=Motion.Way.VOTE)
    write_to_roster(motion, LetterRound.Kind.OPENED, at=at)
    audit.record(actor=None, verb="proposal.ratification", subject=ratification)
    return ratification


def _copied(carried: Motion, electorate: str, rules: RuleSet, at: datetime) -> Motion:
    return Motion.objects.create(
        body=rules.body,
        slug=free_slug(carried.title),
        subject=carried.subject,
        title=carried.title,
        summary=carried.summary,
        text=carried.text,
        electorate=electorate,
        takes_effect_on=carried.takes_effect_on,
        proposed_by=carried.proposed_by,
        drafted_at=at,
        seconded_by=carried.seconded_by,
        seconded_at=at if carried.seconded_by else None,
    )
