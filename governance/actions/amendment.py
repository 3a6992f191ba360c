"""Proposing another text for a motion that is discussed; accepting, rejecting, voting on it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from governance import clock, letters
from governance.actions.discussion import touch
from governance.actions.motion import locked, rules_for
from governance.discussion import amending, discussing
from governance.models import Amendment, Motion
from governance.models.amendment import sha256
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def propose_amendment(
    *,
    actor: User,
    motion: Motion,
    reason: str,
    replacement: str,
    passage: str = "",
    parent: Amendment | None = None,
    at: datetime | None = None,
) -> Amendment:
    """Ask for another text: of one passage, or of the whole where no passage is named."""
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_amend(actor, motion, moment))
    amendment = Amendment(
        motion=motion,
        number=_next_number(motion),
        parent=motion.amendments.get(pk=parent.pk) if parent else None,
        passage=amending.tidy(passage),
        replacement=amending.tidy(replacement),
        reason=amending.tidy(reason),
        proposed_by=actor,
        proposed_at=moment,
    )
    amendment.base_sha256 = sha256(amendment.base)
    _check(amendment)
    amendment.save(force_insert=True)
    touch(motion, moment)
    letters.amendment_proposed(amendment)
    audit.record(actor=actor, verb="amendment.proposed", subject=amendment, motion=motion.slug)
    return amendment


@transaction.atomic
def accept_amendment(*, actor: User, amendment: Amendment, at: datetime | None = None) -> Amendment:
    """Make it part of one's own text; where the rules say so, the days of discussion restart."""
    amendment = locked_amendment(amendment)
    moment = clock.now(at)
    allowed(discussing.not_to_accept(actor, amendment))
    carry_out(amendment, actor=actor, at=moment)
    letters.amendment_answered(amendment)
    audit.record(actor=actor, verb="amendment.accepted", subject=amendment)
    return amendment


@transaction.atomic
def reject_amendment(
    *, actor: User, amendment: Amendment, because: str, at: datetime | None = None
) -> Amendment:
    """Say why it does not become part of the text. The body can still vote on it."""
    amendment = locked_amendment(amendment)
    moment = clock.now(at)
    allowed(discussing.not_to_answer(actor, amendment))
    if not because.strip():
        raise Refusal(_("Say why it is rejected; its author and all readers see the reason."))
    answer(amendment, Amendment.State.REJECTED, actor=actor, at=moment, because=because.strip())
    touch(amendment.motion, moment)
    letters.amendment_answered(amendment)
    audit.record(actor=actor, verb="amendment.rejected", subject=amendment)
    return amendment


@transaction.atomic
def withdraw_amendment(
    *, actor: User, amendment: Amendment, at: datetime | None = None
) -> Amendment:
    """Take back one's own amendment; what was written stays on record."""
    amendment = locked_amendment(amendment)
    moment = clock.now(at)
    if amendment.state != Amendment.State.OPEN or discussing.is_past(amendment.motion):
        raise Refusal(_("This amendment is not open any more."))
    if actor.pk != amendment.proposed_by_id:
        words = {"name": amendment.proposed_by}
        raise Refusal(_("Only %(name)s, who proposed it, can do this.") % words)
    answer(amendment, Amendment.State.WITHDRAWN, actor=actor, at=moment)
    audit.record(actor=actor, verb="amendment.withdrawn", subject=amendment)
    return amendment


def carry_out(amendment: Amendment, *, actor: User | None, at: datetime, because: str = "") -> None:
    """Write the new text into the motion, or into the amendment that it amends."""
    motion, parent = amendment.motion, amendment.parent
    amendment.text_before, amendment.text_after = amendment.base, amendment.result()
    if parent is not None:
        parent.replacement = amendment.text_after
        parent.save(update_fields=["replacement"])
    else:
        motion.text = amendment.text_after
        if rules_for(motion, at).discussion.restarts:
            motion.clock_from = at
        motion.save(update_fields=["text", "clock_from"])
    touch(motion, at)
    answer(amendment, Amendment.State.ACCEPTED, actor=actor, at=at, because=because)


def answer(
    amendment: Amendment,
    state: Amendment.State,
    *,
    actor: User | None,
    at: datetime,
    because: str = "",
) -> None:
    amendment.state, amendment.because = state, because
    amendment.decided_by, amendment.decided_at = actor, at
    amendment.save()


def locked_amendment(amendment: Amendment) -> Amendment:
    """The row of its motion orders all that happens to an amendment."""
    motion = locked(Motion(pk=amendment.motion_id))
    people = ["proposed_by", "decided_by", "parent__proposed_by"]
    found = Amendment.objects.select_related(*people).get(pk=amendment.pk)
    found.motion = motion
    if found.parent is not None:
        found.parent.motion = motion
    return found


def _next_number(motion: Motion) -> int:
    last = motion.amendments.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _check(amendment: Amendment) -> None:
    """Refuse what could not be carried out, with words that say how to write it."""
    if not amendment.reason:
        raise Refusal(_("Say why the text should change."))
    parent = amendment.parent
    if parent is not None and (parent.parent_id or parent.state != Amendment.State.OPEN):
        raise Refusal(_("Only an open amendment to the motion itself can be amended."))
    try:
        after = amendment.result()
    except amending.NotFoundOnceError as error:
        raise Refusal(where(error.times)) from error
    if not after.strip():
        raise Refusal(_("Nothing would be left of the text. Ask for its withdrawal instead."))
    if after == amendment.base:
        raise Refusal(_("That is the text as it stands; change something."))


def where(times: int) -> str:
    if times:
        return _("This passage stands in the text %(times)s times. Copy more of it.") % {
            "times": times
        }
    return _("This passage does not stand in the text. Copy it exactly as it is written.")
