"""Jobs that join apps or serve all of them."""

from datetime import timedelta

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from portal.lib import outbox
from portal.payments.models import ProviderEvent
from portal.sponsors import hosted, sweeps
from portal.sponsors.inbox import process_event

SILENCE = timedelta(minutes=2)  # after which the provider is asked about a session


@shared_task
def send_outbox() -> None:
    outbox.send_due()


@shared_task
def clear_sessions() -> None:
    call_command("clearsessions")


@shared_task
def repair_payments() -> None:
    """Events that failed or came too early, sessions without news, places kept long enough."""
    now = timezone.now()
    for event_pk in ProviderEvent.objects.due(now).values_list("pk", flat=True)[:200]:
        process_event(event_pk, at=now)
    hosted.repair_checkouts(silent_since=now - SILENCE, at=now)
    sweeps.settle_lost_orders()
    sweeps.release_overdue_places(at=now)


@shared_task
def forget_abandoned_drafts() -> None:
    sweeps.forget_drafts(at=timezone.now())
