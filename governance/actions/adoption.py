"""What follows for bylaws from a decision: the members are asked, or the text is adopted."""

from datetime import datetime

from governance.actions.bylaws import adopt, hold_bylaws
from governance.actions.ratification import ask_classes
from governance.models import Motion, Proposal, Version
from portal.lib import audit


def adopt_proposal(motion: Motion, at: datetime) -> None:
    """The body carried a change: ask the classes that must agree, or adopt it."""
    proposal = _whole(motion=motion)
    if proposal is None or motion.state != Motion.State.ADOPTED:
        return
    if not ask_classes(proposal, at):
        _take_effect(motion, adopt(proposal, at))


def adopt_ratified(motion: Motion, at: datetime) -> None:
    """A class carried it: adopt it when that was the last one that had to agree."""
    proposal = _whole(ratifications__motion=motion)
    if proposal is None or motion.state != Motion.State.ADOPTED:
        return
    hold_bylaws(proposal.motion)  # of two classes that end at once the second sees the first
    states = proposal.ratifications.values_list("motion__state", flat=True)
    if set(states) == {Motion.State.ADOPTED}:
        _take_effect(proposal.motion, adopt(proposal, at))


def _take_effect(motion: Motion, version: Version) -> None:
    """The resolution is in force from the day of its version: members, rules or a date say when."""
    if motion.effective_on == version.effective_on:
        return
    motion.effective_on = version.effective_on
    motion.save(update_fields=["effective_on"])
    day = version.effective_on.isoformat()
    audit.record(actor=None, verb="motion.effective", subject=motion, effective_on=day)


def _whole(**asked: Motion) -> Proposal | None:
    found = Proposal.objects.filter(**asked).select_related("motion__rule_set", "bylaws")
    return found.first()
