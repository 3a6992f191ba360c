"""Closing votes whose deadline has passed, and reminding those who have not voted before it does.

Both are sweeps over rows: run twice, late, or by two workers at once, they change nothing more. A
motion that cannot be counted is told in the log, and the others go on.
"""

from datetime import datetime, timedelta

from django.db import transaction

from governance import clock
from governance.actions.letter_round import write_to_roster
from governance.actions.outcome import write_outcome
from governance.actions.sweep import sweep
from governance.models import LetterRound, Motion
from governance.motions import results
from governance.tally.report import Outcome
from portal.lib import audit

REMIND_BEFORE = timedelta(hours=24)


def close_due(*, at: datetime | None = None) -> int:
    """Count every vote whose deadline has passed; how many this call closed."""
    moment = clock.now(at)
    overdue = list(Motion.objects.overdue(moment).values_list("pk", flat=True))
    return sweep(overdue, lambda pk: close_motion(motion_id=pk, at=at))


@transaction.atomic
def close_motion(*, motion_id: int, at: datetime | None = None) -> bool:
    """Count one vote if its deadline has passed and nobody did; whether this call closed it."""
    motion = Motion.objects.select_for_update(of=("self",)).get(pk=motion_id)
    moment = clock.now(at)
    if motion.state != Motion.State.OPEN or motion.is_open(moment):
        return False
    decide(motion, at=moment)
    return True


def decide(motion: Motion, *, at: datetime, early: bool = False) -> None:
    """Write the outcome of a vote whose row the caller has locked, and tell the voters.

    A vote that ran its time was decided at its deadline, however late it is counted.
    """
    report = results.report(motion)
    decided = at if early or motion.deadline is None else min(at, motion.deadline)
    write_outcome(motion, state=STATES[report.outcome], at=decided, early=early)
    write_to_roster(motion, LetterRound.Kind.RESULT, at=at)
    audit.record(
        actor=None,
        verb="motion.closed",
        subject=motion,
        outcome=report.outcome,
        resolution=motion.resolution,
        early=early,
        quorum=[report.quorum_got, report.quorum_needed],
        yes=[report.got, report.needed],
    )


STATES = {
    Outcome.ADOPTED: Motion.State.ADOPTED,
    Outcome.FAILED: Motion.State.FAILED,
    Outcome.VOID: Motion.State.VOID,
}


def remind_due(*, at: datetime | None = None) -> int:
    """Write to those who have not voted once the last day (or half of a short vote) begins.

    Returns for how many votes this was done. A sweep that comes late still reminds, as long as
    the vote is open.
    """
    moment = clock.now(at)
    waiting = Motion.objects.being_decided(moment).filter(reminded_at__isnull=True)
    due = [motion.pk for motion in waiting if reminder_time(motion) <= moment]
    return sweep(due, lambda pk: _remind(pk, at=at))


def reminder_time(motion: Motion) -> datetime:
    """A day before the deadline; for a vote of less than two days when half of it is over."""
    if motion.opened_at is None or motion.deadline is None:
        raise ValueError("a draft has no deadline to remind of")
    half = motion.opened_at + (motion.deadline - motion.opened_at) / 2
    return max(half, motion.deadline - REMIND_BEFORE)


@transaction.atomic
def _remind(motion_id: int, *, at: datetime | None) -> bool:
    motion = Motion.objects.select_for_update(of=("self",)).get(pk=motion_id)
    moment = clock.now(at)
    if motion.reminded_at is not None or not motion.is_open(moment):
        return False
    write_to_roster(motion, LetterRound.Kind.REMINDER, at=moment)
    motion.reminded_at = moment
    motion.save(update_fields=["reminded_at"])
    audit.record(actor=None, verb="motion.reminded", subject=motion)
    return True
