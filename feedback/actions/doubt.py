"""Ending doubts that the release catalogue has answered since."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.db import connection, transaction

from feedback.catalogue import released
from feedback.facts import OTHER
from feedback.plausibility import Doubt
from feedback.server_weeks import touch_periods

BATCH: Final = 5_000  # weeks of servers in one transaction

_TOLD: Final = """
    SELECT DISTINCT unnest(unreleased) FROM feedback_serverweek WHERE unreleased IS NOT NULL
"""
# In the order in which workers lock what they read.
_END: Final = """
    WITH doubted AS (
        SELECT server_key, week, (
            SELECT array_agg(version) FROM unnest(unreleased) AS version
            WHERE version <> ALL (%(out)s::varchar[])
        ) AS others
        FROM feedback_serverweek WHERE unreleased IS NOT NULL AND unreleased && %(out)s::varchar[]
        ORDER BY server_key, week LIMIT %(batch)s FOR UPDATE
    )
    UPDATE feedback_serverweek AS known SET
        unreleased = others,
        doubts = CASE WHEN others IS NULL THEN doubts & ~%(version)s::smallint ELSE doubts END
    FROM doubted WHERE known.server_key = doubted.server_key AND known.week = doubted.week
    RETURNING known.week
"""


def end_doubts(*, at: dt.datetime) -> int:
    """Believe servers whose versions have come out by `at`; in how many of their weeks.

    Packages may go out before their release is published here. Each transaction notes what has to
    be counted again; one that is cut off is gone on with by the next run.
    """
    ahead = _told()
    out = released(at) if ahead else None
    found = [version for version in ahead if out and out.has(*_numbered(version))]
    ended = 0
    while found and (weeks := _end_some(found)):
        ended += weeks
    return ended


def _told() -> list[str]:
    """The versions that are waited for. What is no number of a version is none that comes out."""
    with connection.cursor() as cursor:
        cursor.execute(_TOLD)
        return sorted(version for (version,) in cursor.fetchall() if version != OTHER)


def _numbered(version: str) -> tuple[str, str]:
    return version.rpartition(".")[0], version


@transaction.atomic
def _end_some(versions: list[str]) -> int:
    values: dict[str, Any] = {"out": versions, "batch": BATCH, "version": int(Doubt.VERSION)}
    with connection.cursor() as cursor:
        cursor.execute(_END, values)
        weeks = [week for (week,) in cursor.fetchall()]
    touch_periods(weeks)
    return len(weeks)
