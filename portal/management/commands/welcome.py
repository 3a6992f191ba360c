"""What `make run` tells the visitor once pages answer; then the larger data in the background."""

import os
import time
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from portal import demonstration
from portal.accounts import demonstration as people

PATIENCE = 120.0  # seconds until the first page must have answered


class Command(BaseCommand):
    help = "Wait for the first page, print the address and the demonstration logins, load the rest."

    def handle(self, *args: Any, **options: Any) -> None:
        self._await_page(f"{settings.BASE_URL}/")
        self.stdout.write(self._address())
        loads = demonstration.allowed()
        if loads:
            self.stdout.write("\n".join(people.told(people.CAST)) + "\n")
        self._await_page(f"{settings.BASE_URL}/health/ready")
        self.stdout.write("  Every process is ready. Stop with Ctrl-C.\n")
        if loads:
            for line in demonstration.load_more():
                self.stdout.write(f"  demonstration data: {line}")
            self.stdout.write("  demonstration data: all loaded")

    def _await_page(self, url: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(url, timeout=10):  # noqa: S310  (our own address)
                    return
            except (urllib.error.URLError, OSError) as error:
                if time.monotonic() > deadline:
                    told = (
                        error.read().decode() if isinstance(error, urllib.error.HTTPError) else ""
                    )
                    raise CommandError(f"{url} does not answer: {error} {told}") from error
            time.sleep(0.1)

    def _address(self) -> str:
        started = os.environ.get("RUN_STARTED")
        after = f"  (after {time.time() - float(started):.1f} s)" if started else ""
        return f"\n  {settings.FOUNDATION_NAME}: {settings.BASE_URL}/{after}\n"
