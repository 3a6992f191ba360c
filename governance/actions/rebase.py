"""Bringing a proposal up to the version that was adopted since it was written."""

from datetime import datetime

from django.db import transaction

from governance import clock
from governance.actions.discussion import touch
from governance.actions.motion import locked, rules_for
from governance.actions.proposal import check_change, newest
from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws import rebase
from governance.models import Motion, Proposal
from governance.refusals import allowed
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def rebase_proposal(
    *, actor: User, proposal: Proposal, written: list[str], at: datetime | None = None
) -> Proposal:
    """Change the newest version instead of an older one, a draft or in public discussion.

    `written` has the words for each stretch of clauses that both changed, in their order. Nothing
    else is up to the actor: the rest of the text is what the proposal and the version make of it.
    """
    motion = locked(proposal.motion)
    moment = clock.now(at)
    proposal.motion = motion
    allowed(bylaws_reasons.not_to_rebase(actor, proposal, moment))
    base = newest(proposal.bylaws)
    text = rebase.text_of(rebase.parts(proposal, base), written)
    check_change(base, text, moment)
    proposal.base, proposal.based_at = base, moment
    proposal.save(update_fields=["base", "based_at"])
    _rewrite(motion, text, moment, by_hand=bool(written))
    audit.record(
        actor=actor,
        verb="motion.rebased",
        subject=motion,
        moment=moment.isoformat(),
        version=base.number,
        clashes=len(written),
    )
    return proposal


def _rewrite(motion: Motion, text: str, at: datetime, *, by_hand: bool) -> None:
    """Words that a person chose are an accepted amendment to a discussion, and another draft."""
    motion.text = text
    if by_hand and motion.state == Motion.State.DRAFT:
        motion.seconded_by, motion.seconded_at = None, None
        motion.seconds.all().delete()
    if by_hand and motion.clock_from and rules_for(motion, at).discussion.restarts:
        motion.clock_from = at
    motion.save(update_fields=["text", "seconded_by", "seconded_at", "clock_from"])
    touch(motion, at)
