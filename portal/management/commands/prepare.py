"""Bring the database and the static files to the state of this version of the code."""

import hashlib
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand

from portal import demonstration


class Command(BaseCommand):
    help = "Migrate, collect static files and, where DEMONSTRATION=yes, load the first data."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        self._collect_static_files()
        if settings.DEMONSTRATION:
            if demonstration.allowed():
                demonstration.load()
            else:
                self.stderr.write("This database holds people of its own: no demonstration data.")

    def _collect_static_files(self) -> None:
        """Naming and compressing them takes seconds, so only when one of them changed."""
        mark = settings.STATIC_ROOT / "collected.txt"
        found = _fingerprint()
        if not mark.exists() or mark.read_text() != found:
            call_command("collectstatic", interactive=False, verbosity=0)
            mark.write_text(found)


def _fingerprint() -> str:
    """Changes when a static file is added, removed or written."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            modified = storage.get_modified_time(path).timestamp()
            digest.update(f"{path} {storage.size(path)} {modified}\n".encode())
    return digest.hexdigest()
