"""Load the demonstration foundation."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal import demonstration


class Command(BaseCommand):
    help = "Load the demonstration foundation. Run again, it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", action="store_true", help="only what the first pages need")

    def handle(self, *args: Any, first: bool, **options: Any) -> None:
        if not demonstration.allowed():
            raise CommandError(
                "This installation holds people of its own, or DEMONSTRATION is not 'yes'."
                " The demonstration is loaded into an empty database only."
            )
        demonstration.load()
        if not first:
            for line in demonstration.load_more():
                self.stdout.write(line)
