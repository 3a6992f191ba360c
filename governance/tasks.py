"""Sweeps of governance: each finds its work in the rows, so a lost or doubled run is harmless."""

from celery import shared_task
from django.utils import timezone

from governance.actions import closing
from governance.actions.seat import correct_roles


@shared_task
def close_due() -> None:
    closing.close_due()


@shared_task
def remind_due() -> None:
    closing.remind_due()


@shared_task
def correct_seat_roles() -> None:
    correct_roles(at=timezone.now())
