"""Jobs of members, for the worker. The row is the queue: `tend_exports` sweeps what was missed."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from portal.members.actions import data_export
from portal.members.models import DataExport


@shared_task
def make_export(export_pk: int) -> None:
    data_export.make_export(export_pk=export_pk, at=timezone.now())


@shared_task
def tend_exports() -> None:
    """Exports that nobody makes, and those that are over."""
    now = timezone.now()
    for export_pk in DataExport.objects.claimable(now).values_list("pk", flat=True):
        data_export.make_export(export_pk=export_pk, at=timezone.now())
    data_export.forget_exports(at=now)
