"""Which letter about the end of a term is due; pure."""

from __future__ import annotations

from datetime import datetime, timedelta

DAYS = (60, 30, 7, 0, -14)  # before the end; negative ones after it


def newest_due(*, begins: datetime, ends: datetime, at: datetime) -> int | None:
    """The newest that is due: who missed some days gets one letter, late, not all of them.

    What would have been due before the term began was never due.
    """
    moments = {days: ends - timedelta(days=days) for days in DAYS}
    due = [days for days, moment in moments.items() if begins < moment <= at]
    return min(due, default=None)
