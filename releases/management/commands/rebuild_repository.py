"""`manage.py rebuild_repository NAME...`: write repositories anew from the database."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from releases import tasks
from releases.actions.rebuild import rebuild_repository
from releases.models import Repository


class Command(BaseCommand):
    help = "Publish repositories anew, every bucket written from the database and checked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME", help="as in the audit log")
        parser.add_argument("--all", action="store_true", help="every live repository")

    def handle(self, *args: Any, **options: Any) -> None:
        for repository in chosen(options["names"], everyone=options["all"]):
            publication = rebuild_repository(actor=None, repository=repository)
            tasks.publish.delay(publication.pk)
            self.stdout.write(f"{repository}: publication {publication.serial} is asked for")


def chosen(names: list[str], *, everyone: bool) -> list[Repository]:
    """The repositories of these names; a name that is none ends the command."""
    live = {one.name: one for one in Repository.objects.live().select_related("series__product")}
    if everyone:
        return list(live.values())
    if unknown := [name for name in names if name not in live]:
        known = "\n".join(sorted(live)) or "none"
        raise CommandError(f"No live repository is called {unknown[0]}. There are:\n{known}")
    if not names:
        raise CommandError("Say which repositories, or --all.")
    return [live[name] for name in names]
