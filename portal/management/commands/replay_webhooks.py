"""Handle stored events of the payment provider again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from portal.inbox import process_event
from portal.payments.actions.event import reopen_event
from portal.payments.models import ProviderEvent


class Command(BaseCommand):
    help = (
        "Handle stored events of the payment provider again: those that failed or wait,"
        " or the ones that are named. Nothing is booked twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", nargs="*", help="ids as the provider wrote them: evt_...")
        parser.add_argument("--all", action="store_true", help="every event, in its sequence")

    def handle(self, *args: Any, event: list[str], **options: Any) -> None:
        events = ProviderEvent.objects.order_by("received_at", "pk")
        if event:
            chosen = events.filter(event_id__in=event)
            unknown = set(event) - set(chosen.values_list("event_id", flat=True))
            if unknown:
                raise CommandError(f"Not in the inbox: {', '.join(sorted(unknown))}")
        else:
            chosen = events if options["all"] else events.unhandled()
        now = timezone.now()
        for stored in chosen:
            reopen_event(event_pk=stored.pk, at=now)
            process_event(stored.pk, at=now)
            stored.refresh_from_db()
            self.stdout.write(f"{stored.event_id} {stored.kind}: {stored.get_outcome_display()}")
