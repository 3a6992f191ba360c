"""The time between a draft and its vote: opened to the public, put on hold, taken up, lapsed."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock, letters
from governance.actions.motion import locked, rules_for
from governance.actions.sweep import sweep
from governance.discussion import clock as discussion_clock
from governance.discussion import discussing
from governance.models import Motion, RuleSet, SeatTerm
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def open_discussion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    """From now on everybody reads the motion; the body and who votes on it discuss it."""
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_discuss(actor, motion, rules_for(motion, moment), moment))
    motion.state = Motion.State.DISCUSSION
    motion.discussed_by = actor
    motion.discussed_at = motion.clock_from = motion.active_at = moment
    motion.save(update_fields=["state", "discussed_by", "discussed_at", "clock_from", "active_at"])
    for term in _seated(motion, moment):
        letters.discussion(motion, term.user)
    audit.record(actor=actor, verb="motion.discussed", subject=motion)
    return motion


@transaction.atomic
def hold_motion(*, actor: User, motion: Motion, because: str, at: datetime | None = None) -> Motion:
    """Let it rest: no clock runs and nothing lapses until it is taken up again."""
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_hold(actor, motion, moment))
    if not because.strip():
        raise Refusal(_("Say what it waits for; readers see the reason."))
    motion.held_from, motion.state = motion.state, Motion.State.ON_HOLD
    motion.held_by, motion.held_at, motion.held_because = actor, moment, because.strip()
    motion.save(update_fields=["state", *HELD])
    _record(actor, motion, "motion.held", moment, because=motion.held_because)
    return motion


@transaction.atomic
def resume_motion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    """Take it up where it was; the days on hold count neither as discussion nor as idle."""
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_resume(actor, motion, moment))
    motion.state = motion.held_from
    if motion.clock_from is not None and motion.held_at is not None:
        motion.clock_from += moment - motion.held_at
        motion.active_at = moment
    motion.held_by, motion.held_at, motion.held_from, motion.held_because = None, None, "", ""
    motion.save(update_fields=["state", "clock_from", "active_at", *HELD])
    _record(actor, motion, "motion.resumed", moment)
    return motion


HELD = ["held_by", "held_at", "held_from", "held_because"]


def touch(motion: Motion, at: datetime) -> None:
    """Somebody spoke: a discussion that goes on does not lapse."""
    if motion.state == Motion.State.DISCUSSION:
        motion.active_at = at
        motion.save(update_fields=["active_at"])


def lapse_due(*, at: datetime | None = None) -> int:
    """Close the discussions that nobody touched for as long as their rules allow; how many."""
    moment = clock.now(at)
    idle = [motion.pk for motion in Motion.objects.being_discussed() if _is_idle(motion, moment)]
    return sweep(idle, lambda pk: lapse_motion(motion_id=pk, at=at))


@transaction.atomic
def lapse_motion(*, motion_id: int, at: datetime | None = None) -> bool:
    motion = locked(Motion(pk=motion_id))
    moment = clock.now(at)
    if not _is_idle(motion, moment) or discussion_clock.voted_on(motion) is not None:
        return False
    motion.state, motion.lapsed_at = Motion.State.LAPSED, moment
    motion.save(update_fields=["state", "lapsed_at"])
    letters.lapsed(motion)
    audit.record(actor=None, verb="motion.lapsed", subject=motion)
    return True


def _record(actor: User, motion: Motion, verb: str, moment: datetime, **detail: str) -> None:
    """With the moment, which the page of the motion tells."""
    audit.record(actor=actor, verb=verb, subject=motion, moment=moment.isoformat(), **detail)


def _is_idle(motion: Motion, at: datetime) -> bool:
    rules = RuleSet.objects.in_force(at.date()).filter(body=motion.body_id, subject=motion.subject)
    end = discussion_clock.lapses_at(motion, rules.first())
    return end is not None and end <= at


def _seated(motion: Motion, at: datetime) -> list[SeatTerm]:
    terms = SeatTerm.objects.seated_on(at.date()).filter(seat__body=motion.body)
    return list(terms.select_related("user").order_by("user_id").distinct("user_id"))
