"""Computing what runs say. The row is the queue: a run without ``computed_at`` is to be done."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from benchmarks.actions import doubts
from benchmarks.models import Result, Run, Statistics
from benchmarks.models.queue import claim
from benchmarks.statistics import FEWEST, Description, describe

WILD: Final = 0.20  # variation between processes above which a result is flagged
AT_ONCE: Final = 500
KEPT: Final = tuple(
    name for name in Description.__dataclass_fields__ if hasattr(Statistics, name)
)  # the shape is kept as flags


def compute_statistics(*, run_id: int, at: datetime) -> bool:
    """Compute every result of a run once; False when done already, in work elsewhere, or not to be
    tried now.
    """
    if not claim(Run.objects.filter(pk=run_id), at=at):
        return False
    return _compute(run_id, at)


@transaction.atomic
def _compute(run_id: int, at: datetime) -> bool:
    run = (
        Run.objects.select_for_update(skip_locked=True)
        .filter(pk=run_id, computed_at__isnull=True)
        .first()
    )
    if run is None:
        return False
    results = run.results.select_related("samples")
    rows = [row for row in (_statistics(run, result) for result in results) if row is not None]
    peers = doubts.peers_of(run, rows)
    doubts.add_flags(run, rows, peers)
    Statistics.objects.bulk_create(rows, batch_size=AT_ONCE)
    doubts.mark_reproduced(run, rows, peers)
    Run.objects.filter(pk=run.pk).update(computed_at=at)
    return True


def _statistics(run: Run, result: Result) -> Statistics | None:
    """The computed row of a result; None for one that has no number at all."""
    if not hasattr(result, "samples"):
        value = next(
            (result.summary[key] for key in ("median", "mean", "value") if key in result.summary),
            None,
        )
        if value is None:
            return None
        return Statistics(
            result=result,
            processes=0,
            samples=0,
            median=value,
            minimum=result.summary.get("min"),
            maximum=result.summary.get("max"),
            flags=[*result.flags, "summary_only"],
        )
    found = describe(result.samples.processes(), key=f"{run.uid}/{result.position}")
    row = Statistics(result=result, **{name: getattr(found, name) for name in KEPT})
    row.flags = [*result.flags, *_flags(result, found)]
    return row


def _flags(result: Result, row: Description) -> list[str]:
    """What a reader should know before believing the number."""
    found = []
    if row.processes < FEWEST:
        found.append("few_processes")
    if row.trend is not None:
        slow_at_first = (row.trend > 0) == (result.direction == "lower")
        found.append("warm_up" if slow_at_first else "slows_down")
    if row.two_levels:
        found.append("two_levels")
    if row.between is not None and row.between > WILD:
        found.append("wild")
    return found
