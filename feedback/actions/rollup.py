"""Counts of a week or month, computed whole from the facts: run twice, the result is the same."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.db import connection, transaction

from feedback.facts import ENGINES, FEATURES
from feedback.models import Period

ESTABLISHED_AFTER: Final = dt.timedelta(days=6)

# One row for a server: what its last full report of the period says, and whether it is
# established, that is, whether it reported again six days or more after its first report.
_SERVERS: Final = """
    CREATE TEMPORARY TABLE feedback_counted ON COMMIT DROP AS
    WITH described AS (
        SELECT DISTINCT ON (server_key) *
        FROM feedback_serverweek
        WHERE week >= %(start)s AND week < %(end)s AND described_at IS NOT NULL
        ORDER BY server_key, described_at DESC
    ), known AS (
        SELECT server_key, max(last_at) >= min(first_at) + %(established)s AS established
        FROM feedback_serverweek
        WHERE week < %(end)s AND server_key IN (SELECT server_key FROM described)
        GROUP BY server_key
    )
    SELECT * FROM described JOIN known USING (server_key)
"""
_COUNTS: Final = """
    INSERT INTO feedback_count (period_id, chart, "group", label, servers)
    SELECT %(period)s, cell.* FROM (
        SELECT 'servers' AS chart, '' AS "group",
               CASE WHEN established THEN 'established' ELSE 'first seen' END AS label,
               count(*) AS servers FROM feedback_counted GROUP BY established
        UNION ALL
        SELECT 'version', series, version, count(*) FROM feedback_counted GROUP BY series, version
        UNION ALL
        SELECT 'system', system, distribution, count(*)
        FROM feedback_counted GROUP BY system, distribution
        UNION ALL
        SELECT 'architecture', '', architecture, count(*)
        FROM feedback_counted GROUP BY architecture
        UNION ALL
        SELECT 'feature', '', name, count(*)
        FROM feedback_counted, unnest(%(features)s::text[]) WITH ORDINALITY AS known (name, place)
        WHERE features & (1::bigint << (place - 1)::int) <> 0 GROUP BY name
        UNION ALL
        SELECT 'engine', '', name, count(*)
        FROM feedback_counted, unnest(%(engines)s::text[]) WITH ORDINALITY AS known (name, place)
        WHERE engines & (1::bigint << (place - 1)::int) <> 0 GROUP BY name
    ) AS cell
"""


def roll_up_stale(*, at: dt.datetime) -> int:
    """Compute every period whose facts changed, one transaction each; how many there were."""
    periods = list(Period.objects.stale(at))
    for period in periods:
        roll_up(period=period, at=at)
    return len(periods)


@transaction.atomic
def roll_up(*, period: Period, at: dt.datetime) -> None:
    """Count one period whole. Whoever counts the same one meanwhile waits, then does it again."""
    period = Period.objects.select_for_update().get(pk=period.pk)
    period.counts.all().delete()
    values: dict[str, Any] = {
        "period": period.pk,
        "start": period.start,
        "end": period.end,
        "established": ESTABLISHED_AFTER,
        "features": list(FEATURES),
        "engines": list(ENGINES),
    }
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS feedback_counted")
        cursor.execute(_SERVERS, values)
        cursor.execute(_COUNTS, values)
        cursor.execute("DROP TABLE feedback_counted")
    period.counted_changes = period.changes
    period.computed_at = at
    period.save(update_fields=["counted_changes", "computed_at"])
