"""The months of raw reports and of facts: one partition of a table for each. Questions only."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import connection

from feedback.models import Report, ServerWeek

TABLES: Final = (Report._meta.db_table, ServerWeek._meta.db_table)


def name_of(table: str, month: dt.date) -> str:
    """What the partition of a month is called.

    >>> name_of("feedback_report", dt.date(2026, 11, 1))
    'feedback_report_2026_11'
    """
    return f"{table}_{month:%Y_%m}"


def months_of(table: str) -> set[dt.date]:
    """The first days of the months that have a partition."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_inherits"
            " JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = %s::regclass",
            [table],
        )
        return {month for (month,) in cursor.fetchall()}


def month_after(month: dt.date, months: int = 1) -> dt.date:
    """The first day of the month so many months later.

    >>> month_after(dt.date(2026, 11, 18), 3)
    datetime.date(2027, 2, 1)
    """
    number = month.year * 12 + month.month - 1 + months
    return dt.date(number // 12, number % 12 + 1, 1)


def missing(*, at: dt.datetime) -> list[str]:
    """Partitions of this month and the next that nobody has made."""
    needed = {month_after(at.date(), months) for months in (0, 1)}
    return [name_of(t, month) for t in TABLES for month in sorted(needed - months_of(t))]
