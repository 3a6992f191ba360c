"""`manage.py rebucket_repository NAME...`: change the number of buckets of indices."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from releases import tasks
from releases.actions.rebuild import rebucket_repository
from releases.errors import RefusedError
from releases.management.commands.rebuild_repository import chosen
from releases.repository.buckets import PACKAGES_IN_A_BUCKET


class Command(BaseCommand):
    help = (
        "Divide indices that grew or shrank into another number of buckets"
        f" (about {PACKAGES_IN_A_BUCKET} packages each)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME", help="as in the audit log")
        parser.add_argument("--all", action="store_true", help="every live repository")
        parser.add_argument("--buckets", type=int, help="this many, instead of what fits")

    def handle(self, *args: Any, **options: Any) -> None:
        for repository in chosen(options["names"], everyone=options["all"]):
            try:
                publication = rebucket_repository(
                    actor=None, repository=repository, buckets=options["buckets"]
                )
            except RefusedError as error:
                raise CommandError(str(error)) from None
            if publication is None:
                self.stdout.write(f"{repository}: the number of buckets fits")
            else:
                tasks.publish.delay(publication.pk)
                self.stdout.write(f"{repository}: publication {publication.serial} is asked for")
