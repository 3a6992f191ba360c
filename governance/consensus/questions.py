"""Questions about a consensus: who said what, what follows, why somebody cannot take part."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from governance import reasons
from governance.models import Body, Consensus, Motion, Participant, Position, RuleSet
from governance.reasons import Visitor
from governance.refusals import NotAllowed, Refusal
from governance.tally import consensus as tally
from portal.accounts.models import User

KINDS = {Body.Kind.COUNCIL, Body.Kind.COMMITTEE}


@dataclass(frozen=True, slots=True)
class Line:
    """A participant, and their last word."""

    participant: Participant
    position: Position | None
    reason: str  # as the public reads it


def lines(consensus: Consensus) -> list[Line]:
    found = Position.objects.filter(participant__consensus=consensus).standing()
    last = {each.participant_id: each for each in found}
    return [
        Line(each, last.get(each.pk), _reason(consensus, last.get(each.pk)))
        for each in consensus.participants.all()
    ]


def _reason(consensus: Consensus, position: Position | None) -> str:
    return consensus.motion.as_public(position.reason) if position else ""


def stances(consensus: Consensus) -> tally.Stances:
    """Of those who are counted."""
    return tally.count(
        tally.Stance(line.position.stance)
        for line in lines(consensus)
        if line.participant.is_counted and line.position
    )


def call(consensus: Consensus) -> tally.Call:
    return tally.Call(
        counted=consensus.participants.filter(is_counted=True).count(),
        needed=consensus.needed,
        ends=consensus.ends_at,
        resolving_until=consensus.resolving_until,
    )


def sought(motion: Motion) -> Consensus | None:
    """The consensus that is being sought on a motion now."""
    return motion.consensuses.running().first()


def not_to_call(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    if motion.body.kind not in KINDS:
        return Refusal(_("Councils and committees seek consensus; this body votes."))
    if motion.electorate != Motion.Electorate.BODY:
        return Refusal(_("Members are many: what they decide is voted on."))
    return reasons.not_to_open(user, motion, rules, at)


def not_to_speak(user: Visitor, consensus: Consensus, at: datetime) -> Refusal | None:
    if consensus.state != Consensus.State.SOUGHT:
        return Refusal(_("It ended on %(when)s.") % {"when": reasons.in_words(consensus.ended_at)})
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to take part, if you sit in this body."))
    if not consensus.participants.filter(user=user).exists():
        return NotAllowed(
            _("Only those who sat in the body on %(when)s take part.")
            % {"when": reasons.in_words(consensus.called_at)}
        )
    return None
