"""Writing what was decided, however it was decided: state, dates, resolution number, consequences.

By vote it is called from `closing`, which counts; a meeting, a consent or a consensus calls it
with what it found.
"""

from datetime import datetime

from django.db import connection
from django.utils import timezone

from governance.actions import consequences
from governance.models import Motion


def write_outcome(
    motion: Motion, *, state: Motion.State, at: datetime, early: bool = False
) -> None:
    """Decide the motion, whose row the caller has locked; what follows happens here too."""
    motion.state, motion.decided_at, motion.closed_early = state, at, early
    if state == Motion.State.ADOPTED:
        day = timezone.localdate(at)
        motion.effective_on = max(day, motion.takes_effect_on or day)
        if motion.amendment_id is None:
            motion.year, motion.number = day.year, _next_number(day.year)
    motion.save(update_fields=DECIDED)
    consequences.follow(motion, at)


DECIDED = ["state", "closed_early", "decided_at", "year", "number", "effective_on"]


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
