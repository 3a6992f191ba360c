"""Bring the database and the static files to the state of this version of the code."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from portal import demonstration


class Command(BaseCommand):
    help = "Migrate, collect static files and, where DEMONSTRATION=yes, load the first data."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        if settings.DEMONSTRATION:
            if demonstration.allowed():
                demonstration.load()
            else:
                self.stderr.write("This database holds people of its own: no demonstration data.")
