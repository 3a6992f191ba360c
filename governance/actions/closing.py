"""Closing votes whose deadline has passed, and reminding those who have not voted before it does.

Both are sweeps over rows: run twice, late, or by two workers at once, they change nothing more. A
motion that cannot be counted is told in the log, and the others go on.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from governance import clock, letters, results
from governance.models import Motion, Vote
from governance.tally.report import Outcome
from portal.lib import audit

logger = logging.getLogger(__name__)

REMIND_BEFORE = timedelta(hours=24)


def close_due(*, at: datetime | None = None) -> int:
    """Count every vote whose deadline has passed; how many this call closed."""
    moment = clock.now(at)
    overdue = list(Motion.objects.overdue(moment).values_list("pk", flat=True))
    return _sweep(overdue, lambda pk: close_motion(motion_id=pk, at=at))


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
    motion.state = STATES[report.outcome]
    motion.closed_early = early
    motion.decided_at = at if early or motion.deadline is None else min(at, motion.deadline)
    if report.outcome is Outcome.ADOPTED:
        motion.year = timezone.localtime(motion.decided_at).year
        motion.number = _next_number(motion.year)
    motion.save(update_fields=["state", "closed_early", "decided_at", "year", "number"])
    for voter in motion.roster.select_related("user"):
        letters.result(motion, voter, report=report)
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
    return _sweep(due, lambda pk: _remind(pk, at=at))


def _sweep(motions: Iterable[int], act: Callable[[int], bool]) -> int:
    """On how many motions this call acted; one that fails stops no other."""
    done = 0
    for pk in motions:
        try:
            with transaction.atomic():
                done += act(pk)
        except Exception:  # whatever is wrong with this motion, it is not the fault of the next
            logger.exception("motion %d could not be closed or reminded of", pk)
    return done


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
    voted = Vote.objects.filter(voter=OuterRef("pk"))
    for voter in motion.roster.filter(~Exists(voted)).select_related("user"):
        letters.reminder(motion, voter)
    motion.reminded_at = moment
    motion.save(update_fields=["reminded_at"])
    audit.record(actor=None, verb="motion.reminded", subject=motion)
    return True


def _next_number(year: int) -> int:
    """The next resolution number of the year. The row lock is held until the caller commits, so
    numbers have no gap.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO governance_resolutioncount (year, last) VALUES (%s, 1)"
            " ON CONFLICT (year) DO UPDATE SET last = governance_resolutioncount.last + 1"
            " RETURNING last",
            [year],
        )
        return int(cursor.fetchone()[0])
