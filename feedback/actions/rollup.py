"""Counts of a week or month, computed whole from the facts: run twice, the result is the same."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import transaction

from feedback.counting import count
from feedback.crosses import crosses
from feedback.models import Count, CrossCount, Period

BATCH: Final = 5_000


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
    period.cross_counts.all().delete()
    counted = count(period.start, period.end)
    counts = [
        Count(period=period, chart=chart, group=group, label=label, servers=servers)
        for chart, group, label, servers in counted.cells()
    ]
    Count.objects.bulk_create(counts, batch_size=BATCH)
    if period.unit == Period.Unit.MONTH:
        rows = [
            CrossCount(
                period=period,
                chart=cell.chart,
                series=cell.series,
                system=cell.system,
                label=cell.label,
                servers=cell.servers,
                base=cell.base,
            )
            for cell in crosses(counted)
        ]
        CrossCount.objects.bulk_create(rows, batch_size=BATCH)
    period.counted_changes = period.changes
    period.computed_at = at
    period.save(update_fields=["counted_changes", "computed_at"])
