"""Statistics and comparisons, computed by the worker: numpy and scipy stay out of the web process.

Tasks carry ids; `compute_due` sweeps up what a lost message missed.
"""

import logging
from collections.abc import Callable
from typing import Any

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from benchmarks.actions import comparison, decision, line
from benchmarks.actions.signer import keep_ci_keys
from benchmarks.actions.statistics import compute_statistics
from benchmarks.ci_keys import fetched
from benchmarks.models import Comparison, Line, Run
from benchmarks.trust.identity import BadTokenError
from releases.mirrors.fetch import FetchError

AT_ONCE = 200
logger = logging.getLogger(__name__)


@shared_task
def compute_run(run_id: int) -> None:
    compute_statistics(run_id=run_id, at=timezone.now())


@shared_task
def compare(comparison_id: int) -> None:
    comparison.compute_comparison(comparison_id=comparison_id, at=timezone.now())


@shared_task
def find_changes(line_id: int) -> None:
    line.compute_line(line_id=line_id, at=timezone.now())


@shared_task
def forget_comparisons() -> None:
    comparison.forget_comparisons(at=timezone.now())
    line.forget_lines(at=timezone.now())


@shared_task
def forget_runs() -> None:
    decision.forget_left_alone(at=timezone.now())


@shared_task
def fetch_ci_keys() -> None:
    """Renew the keys of the CIs in the settings; where that fails, those of before stay."""
    for name in settings.BENCHMARK_CI_KEYS:
        try:
            issuer, keys = fetched(name)
            keep_ci_keys(issuer=issuer, keys=keys, at=timezone.now())
        except (FetchError, BadTokenError) as error:
            logger.warning("keys of the CI %s cannot be renewed: %s", name, error)


@shared_task
def compute_due() -> None:
    """The queue is in the rows: runs first, since comparisons need their statistics."""
    now = timezone.now()
    _each(compute_run, Run.objects.to_compute(now))
    _each(compare, Comparison.objects.to_compute(now))
    _each(find_changes, Line.objects.to_compute(now))


def _each(compute: Callable[[int], None], rows: QuerySet[Any]) -> None:
    """One row that fails does not keep the others waiting; it is tried again later."""
    for row_id in rows.values_list("pk", flat=True)[:AT_ONCE]:
        try:
            compute(row_id)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("%s cannot be computed", row_id)
