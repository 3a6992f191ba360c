"""Compare the ledger with the payment provider."""

from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from portal.books.actions.reconciliation import reconcile
from portal.books.words import words_of


class Command(BaseCommand):
    help = (
        "Compare the payment provider's lists of payments, refunds and disputes with the ledger."
        " Treasurers get a letter when something differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", help="first day, YYYY-MM-DD; else 35 days ago")

    def handle(self, *args: Any, since: str | None, **options: Any) -> None:
        now = timezone.now()
        report = reconcile(at=now, since=_day(since, now) if since else None)
        if report.error:
            raise CommandError(f"The provider could not be asked: {report.error}")
        for found in report.differences.all():
            words = words_of(found)
            self.stdout.write(f"{found.ref}: {words.wrong} {words.todo}")
        compared = f"{report.movement_count} movements, {report.entry_count} entries"
        differing = report.differences.count()
        self.stdout.write(f"{compared}, {differing} differences")


def _day(text: str, now: datetime) -> datetime:
    try:
        day = timezone.make_aware(datetime.strptime(text, "%Y-%m-%d"))  # noqa: DTZ007 - made aware
    except ValueError as error:
        raise CommandError("Write the day as YYYY-MM-DD.") from error
    if day >= now - timedelta(hours=1):
        raise CommandError("The first day must be in the past.")
    return day
