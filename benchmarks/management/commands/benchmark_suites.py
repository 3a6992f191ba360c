"""Define the suites that come with the portal, with the published figures if asked."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from benchmarks.actions.publish import keep_published
from benchmarks.actions.suite import define_suite
from benchmarks.published import published
from benchmarks.suites import ready_suites


class Command(BaseCommand):
    help = "Define the ready benchmark suites. Run again, it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--published",
            action="store_true",
            help="also keep the figures that others have printed",
        )

    def handle(self, *args: Any, published: bool, **options: Any) -> None:
        for definition in ready_suites().values():
            suite = define_suite(actor=None, definition=definition)
            self.stdout.write(f"{suite.slug}: {suite.cases.count()} cases")
        if published:
            self._keep_published()

    def _keep_published(self) -> None:
        for figures in published():
            kept = keep_published(actor=None, figures=figures, at=timezone.now())
            known = "kept" if kept.is_new else "there already"
            self.stdout.write(f"{figures.suite}: {kept.run.results.count()} figures, {known}")
