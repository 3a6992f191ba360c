"""The one clock that deadlines are compared with: that of the database.

Several web processes and workers share it, and it is read after a lock was taken, so that what
waited for the lock is judged by the moment at which it got it.
"""

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import formats, timezone


def now(at: datetime | None = None) -> datetime:
    """The moment `at`, or the database's own at this statement (not at the transaction's start)."""
    if at is not None:
        return at
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment.astimezone(UTC)


def now_and(other: str) -> tuple[datetime, Any]:
    """The same, and what a SELECT of one value finds, with one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT clock_timestamp(), ({other})")
        moment, found = cursor.fetchone()
    return moment.astimezone(UTC), found


def in_words(moment: datetime | None) -> str:
    """`20 Nov 2026, 18:00 UTC`."""
    return formats.date_format(timezone.localtime(moment), "j M Y, H:i e") if moment else ""
