"""Making the partitions of months that come, and dropping those of months that are over."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable
from typing import Final

from django.db import OperationalError, connection, transaction

from feedback.models import RAW_DAYS, Report, facts_since
from feedback.partitions import TABLES, month_after, months_of, name_of

logger = logging.getLogger(__name__)

AHEAD: Final = 3  # months
PATIENCE: Final = "2s"  # who waits for a lock of a whole table holds up everybody behind
_LOCK: Final = "feedback partitions"


@transaction.atomic
def make_partitions(*, at: dt.datetime) -> list[str]:
    """Make those of this month and the next three; the names of new ones."""
    return ensure_partitions(month_after(at.date(), months) for months in range(AHEAD + 1))


def ensure_partitions(days: Iterable[dt.date]) -> list[str]:
    """Make what is missing for rows of these days; the names of new ones.

    Within a transaction that has not written to these tables yet. Nobody who reads or writes
    them waits: a partition is made beside its table and then attached.
    """
    wanted = {day.replace(day=1) for day in days}
    if all(wanted <= months_of(table) for table in TABLES):
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [_LOCK])
    return [_make(table, month) for table in TABLES for month in sorted(wanted - months_of(table))]


def _make(table: str, month: dt.date) -> str:
    name = name_of(table, month)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} (LIKE {table} INCLUDING ALL)")
        cursor.execute(
            f"ALTER TABLE {table} ATTACH PARTITION {name}"
            f" FOR VALUES FROM ('{month}') TO ('{month_after(month)}')"
        )
    return name


def drop_partitions(*, at: dt.datetime) -> list[str]:
    """Drop months that are wholly older than what is promised; the names of those that are gone.

    One transaction for each. Where somebody reads the table for longer than two seconds, it is
    left to the next run, so that reports to come need not wait.
    """
    return [name for table in TABLES for name in _old(table, at) if _drop(name)]


def _old(table: str, at: dt.datetime) -> list[str]:
    if table == Report._meta.db_table:
        since = (at - dt.timedelta(days=RAW_DAYS)).date().replace(day=1)
    else:
        since = facts_since(at)
    return [name_of(table, month) for month in sorted(months_of(table)) if month < since]


def _drop(name: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
            cursor.execute(f"DROP TABLE {name}")
            cursor.execute("SET LOCAL lock_timeout = DEFAULT")
    except OperationalError as error:
        logger.warning("%s is not dropped yet: %s", name, type(error.__cause__).__name__)
        return False
    return True
