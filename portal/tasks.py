"""Jobs that join apps or serve all of them."""

from celery import shared_task
from django.core.management import call_command

from portal.lib import outbox


@shared_task
def send_outbox() -> None:
    outbox.send_due()


@shared_task
def clear_sessions() -> None:
    call_command("clearsessions")
