"""Statistics and comparisons, computed by the worker: numpy and scipy stay out of the web process.

Tasks carry ids; `compute_due` sweeps up what a lost message missed.
"""

from celery import shared_task
from django.utils import timezone

from benchmarks.actions.comparison import compute_comparison
from benchmarks.actions.statistics import compute_statistics
from benchmarks.models import Comparison, Run

AT_ONCE = 200


@shared_task
def compute_run(run_id: int) -> None:
    compute_statistics(run_id=run_id, at=timezone.now())


@shared_task
def compare(comparison_id: int) -> None:
    compute_comparison(comparison_id=comparison_id, at=timezone.now())


@shared_task
def compute_due() -> None:
    """The queue is in the rows: runs first, since comparisons need their statistics."""
    for run_id in Run.objects.to_compute().values_list("pk", flat=True)[:AT_ONCE]:
        compute_run(run_id)
    for comparison_id in Comparison.objects.to_compute().values_list("pk", flat=True)[:AT_ONCE]:
        compare(comparison_id)
