"""Casting a vote: it counts and is acknowledged, or it is refused; there is nothing between."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock, reasons
from governance.actions.closing import decide
from governance.discussion.amending import lines
from governance.models import Motion, RosterSeat, Vote
from governance.motions import results
from governance.refusals import NotAllowed
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def cast_vote(
    *,
    actor: User,
    motion: Motion,
    choice: Vote.Choice,
    reason: str = "",
    number: int | None = None,
    at: datetime | None = None,
) -> Vote:
    """Vote, or change one's vote until the deadline; each change is kept.

    The lock of the motion's row orders votes and closing. The clock is read under it, so a vote
    that got the lock before the deadline is seen by the count, and a later one is refused.
    The same vote again is the same row. Who speaks for several organisations votes for each:
    `number` says for which.
    """
    motions = Motion.objects.select_for_update(of=("self",)).select_related("rule_set")
    motion = motions.get(pk=motion.pk)
    moment = clock.now(at)
    refusal = reasons.not_to_vote(actor, motion, moment)
    if refusal is not None:
        raise refusal
    voter, reason = _voter(motion, actor, number), lines(reason)
    before = voter.votes.order_by("-pk").first()
    if before is not None and (before.choice, before.reason) == (choice, reason):
        return before
    vote = Vote.objects.create(voter=voter, choice=choice, reason=reason, cast_at=moment)
    # Choices are shown when the vote is over, so the log of its acts does not tell them before.
    audit.record(
        actor=actor,
        verb="vote.cast" if before is None else "vote.changed",
        subject=motion,
        seat=voter.number,
    )
    if _closes_early(motion) and results.is_settled(motion):
        decide(motion, at=moment, early=True)
    return vote


def _voter(motion: Motion, actor: User, number: int | None) -> RosterSeat:
    """The place on the roster for which `actor` votes."""
    mine = motion.roster.filter(user_id=actor.pk).order_by("number")
    found = mine.first() if number is None else mine.filter(number=number).first()
    if found is None:
        raise NotAllowed(_("You do not vote for that place on the roster. Vote for your own."))
    return found


def _closes_early(motion: Motion) -> bool:
    """A vote of members runs its time: everybody was promised the same days."""
    in_body = motion.electorate == Motion.Electorate.BODY
    return in_body and motion.rule_set is not None and motion.rule_set.early_close
