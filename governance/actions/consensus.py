"""Seeking consensus: calling it, taking a position, and what follows when its time is over.

Everything happens under the lock of the motion's row, with the clock read after it (0031).
"""

import hashlib
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.motion import freeze, locked, open_locked, rules_for
from governance.actions.outcome import write_outcome
from governance.actions.sweep import sweep
from governance.consensus import letters as consensus_letters
from governance.consensus import questions as asked
from governance.models import Consensus, Motion, Participant, Position, RuleSet
from governance.models.seat import Place
from governance.reasons import in_words
from governance.refusals import Refusal, allowed
from governance.tally import consensus as tally
from governance.tally.rules import quorum_needed
from portal.accounts.models import User
from portal.lib import audit, languages

OPEN_TO = {Motion.State.DRAFT, Motion.State.DISCUSSION}


@transaction.atomic
def call_consensus(
    *,
    actor: User,
    motion: Motion,
    ends_at: datetime,
    resolution_days: int = 3,
    vote_days: int = 7,
    at: datetime | None = None,
) -> Consensus:
    """Ask the body whether anybody objects. Who is asked is written down now."""
    motion = locked(motion)
    moment = clock.now(at)
    rules = rules_for(motion, moment, lock=True)
    allowed(asked.not_to_call(actor, motion, rules, moment))
    if ends_at <= moment:
        raise Refusal(_("It must end after %(when)s.") % {"when": in_words(moment)})
    people = _people(motion, moment)
    consensus = Consensus.objects.create(
        motion=motion,
        round=motion.consensuses.count() + 1,
        rule_set=rules,
        text_sha256=_digest(motion),
        needed=_needed(rules, sum(place.seat.is_voting for place in people)),
        called_by=actor,
        called_at=moment,
        ends_at=ends_at,
        resolution_days=resolution_days,
        vote_days=vote_days,
    )
    consensus_letters.called(consensus, Participant.objects.bulk_create(_asked(consensus, people)))
    audit.record(actor=actor, verb="consensus.called", subject=motion, ends=ends_at.isoformat())
    return consensus


@transaction.atomic
def take_position(
    *,
    actor: User,
    consensus: Consensus,
    stance: Position.Stance,
    reason: str = "",
    at: datetime | None = None,
) -> Consensus:
    """Say what one thinks of the text, or say something else than before; each word is kept."""
    consensus, moment = _locked(consensus, at)
    allowed(asked.not_to_speak(actor, consensus, moment))
    reason = reason.strip()
    if stance in {Position.Stance.OBJECT, Position.Stance.STAND_ASIDE} and not reason:
        raise Refusal(_("Say why, so that the others can answer."))
    participant = consensus.participants.get(user=actor)
    last = participant.positions.last()
    if last is None or (last.stance, last.reason) != (stance, reason):
        Position.objects.create(
            participant=participant, stance=stance, reason=reason, said_at=moment
        )
        audit.record(
            actor=actor, verb="consensus.spoke", subject=consensus.motion, stance=stance.value
        )
    if stance == Position.Stance.OBJECT and participant.is_counted:
        consensus_letters.objected(consensus, participant, reason)
    _settle(consensus, moment)
    return consensus


def settle_due(*, at: datetime | None = None) -> int:
    """Look at every consensus that is being sought; how many moved on."""
    running = list(Consensus.objects.running().values_list("pk", flat=True))
    return sweep(running, lambda pk: settle_consensus(consensus_id=pk, at=at))


@transaction.atomic
def settle_consensus(*, consensus_id: int, at: datetime | None = None) -> bool:
    consensus, moment = _locked(Consensus.objects.get(pk=consensus_id), at)
    return consensus.state == Consensus.State.SOUGHT and _settle(consensus, moment)


def _settle(consensus: Consensus, at: datetime) -> bool:
    """Do what follows now; whether anything did."""
    motion = consensus.motion
    with languages.of_record():
        decided, changed = _("The motion went another way."), _("The text was changed.")
    if motion.state not in OPEN_TO:
        return _end(consensus, Consensus.State.ENDED, at, decided)
    if _digest(motion) != consensus.text_sha256:
        return _end(consensus, Consensus.State.ENDED, at, changed)
    finding = tally.find(asked.call(consensus), asked.stances(consensus), at)
    if finding is tally.Finding.REACHED:
        return _reached(consensus, at)
    if finding is tally.Finding.RESOLVE:
        consensus.resolving_until = consensus.ends_at + timedelta(days=consensus.resolution_days)
        consensus.save(update_fields=["resolving_until"])
        consensus_letters.resolve(consensus, consensus.participants.select_related("user"))
        return True
    return finding is tally.Finding.VOTE and _put_to_the_vote(consensus, at)


def _reached(consensus: Consensus, at: datetime) -> bool:
    """Carried without a vote by the rules under which it was called: they, text and roster are
    frozen with the decision.
    """
    motion = consensus.motion
    _end(consensus, Consensus.State.REACHED, at, "")
    rules = consensus.rule_set or rules_for(motion, at, lock=True)
    freeze(motion, actor=consensus.called_by, rules=rules, at=at, way=Motion.Way.CONSENSUS)
    write_outcome(motion, state=Motion.State.ADOPTED, at=at)
    consensus_letters.reached(consensus, consensus.participants.select_related("user"))
    return True


def _put_to_the_vote(consensus: Consensus, at: datetime) -> bool:
    motion = consensus.motion
    _end(consensus, Consensus.State.VOTE, at, "")
    rules = rules_for(motion, at, lock=True)
    deadline = at + max(timedelta(days=consensus.vote_days), timedelta(hours=rules.minimum_hours))
    open_locked(actor=consensus.called_by, motion=motion, rules=rules, deadline=deadline, at=at)
    return True


def _end(consensus: Consensus, state: Consensus.State, at: datetime, because: str) -> bool:
    consensus.state, consensus.ended_at, consensus.ended_because = state, at, because
    consensus.save(update_fields=["state", "ended_at", "ended_because"])
    audit.record(
        actor=None, verb="consensus.ended", subject=consensus.motion, outcome=state, because=because
    )
    return True


def _people(motion: Motion, at: datetime) -> list[Place]:
    """Everybody who sits in the body, once: who also has a vote is counted."""
    places = [place for place in motion.body.seats.places(timezone.localdate(at)) if place.term]
    counted = {place.term.user_id: place for place in places if place.term and place.seat.is_voting}
    others = {place.term.user_id: place for place in places if place.term}
    if not counted:
        raise Refusal(_("Nobody holds a voting seat, so nobody could agree."))
    return list((others | counted).values())


def _asked(consensus: Consensus, people: list[Place]) -> list[Participant]:
    return [
        Participant(
            consensus=consensus,
            seat=place.seat,
            number=place.seat.number,
            user=place.term.user,
            name=str(place.term.user),
            affiliation=place.term.affiliation,
            office="" if place.seat.is_voting else str(place.seat.label),
            is_counted=place.seat.is_voting,
        )
        for place in people
        if place.term
    ]


def _needed(rules: RuleSet, counted: int) -> int:
    """The quorum of the rules, of those who are counted."""
    return min(counted, quorum_needed(rules.rules.quorum, counted))


def _digest(motion: Motion) -> str:
    return hashlib.sha256(motion.text.encode()).hexdigest()


def _locked(consensus: Consensus, at: datetime | None) -> tuple[Consensus, datetime]:
    """The consensus with its motion, whose row is ours from now on, and the moment after that."""
    motion = locked(consensus.motion)
    fresh = Consensus.objects.select_related("called_by").get(pk=consensus.pk)
    fresh.motion = motion
    return fresh, clock.now(at)
