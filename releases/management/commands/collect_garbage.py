"""`manage.py collect_garbage`: remove what nothing refers to any more."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from releases.actions.collection import collect_garbage, measure_garbage


class Command(BaseCommand):
    help = "Remove old indices, contents that nothing refers to, and files that were left behind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["dry_run"]:
            report, verb = measure_garbage(at=now), "would go"
        else:
            report, verb = collect_garbage(actor=None, at=now), "removed"
        for kind, size in sorted(report.sizes.items()):
            self.stdout.write(f"  {kind}: {filesizeformat(size)}")
        self.stdout.write(
            f"{report.files} files with {report.size} bytes {verb};"
            f" {report.publications} publications lose their index files."
        )
