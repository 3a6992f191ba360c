"""Casting a vote: it counts and is acknowledged, or it is refused; there is nothing between."""

from datetime import datetime

from django.db import transaction

from governance import clock, reasons, results
from governance.actions.closing import decide
from governance.models import Motion, RuleSet, Vote
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def cast_vote(
    *,
    actor: User,
    motion: Motion,
    choice: Vote.Choice,
    reason: str = "",
    at: datetime | None = None,
) -> Vote:
    """Vote, or change one's vote until the deadline; each change is kept.

    The lock of the motion's row orders votes and closing. The clock is read under it, so a vote
    that got the lock before the deadline is seen by the count, and a later one is refused.
    The same vote again is the same row.
    """
    motion = Motion.objects.select_for_update(of=("self",)).get(pk=motion.pk)
    moment = clock.now(at)
    refusal = reasons.not_to_vote(actor, motion, moment)
    if refusal is not None:
        raise refusal
    voter = motion.roster.get(user_id=actor.pk)
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
    if RuleSet.objects.get(motions=motion).early_close and results.is_settled(motion):
        decide(motion, at=moment, early=True)
    return vote
