"""`manage.py backup FOLDER`: a copy of the running portal."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from portal.backup import PARTS, BackupError, manifest, taking
from portal.backup.places import here
from portal.management.places import folders_of, phrase_of


class Command(BaseCommand):
    help = (
        "Copy databases, files, keys and secrets into a new folder below FOLDER while the portal"
        " runs. Files that an earlier copy there has are not copied again."
    )

    requires_system_checks = ()  # an office takes its own copy, without the portal's settings

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="holds all copies; made where it is missing")
        parser.add_argument(
            "--parts",
            default=",".join(PARTS),
            help=f"what to copy, of {','.join(PARTS)}; all of it unless it is said",
        )
        parser.add_argument(
            "--passphrase-file", type=Path, help="what keys and secrets are encrypted with"
        )
        parser.add_argument(
            "--folder-of",
            action="append",
            default=[],
            metavar="NAME=FOLDER",
            help="where signer, registrar or box keeps its keys, if not below STATE_DIR",
        )
        parser.add_argument(
            "--keep", type=int, default=0, help="afterwards remove all copies but the newest KEEP"
        )

    def handle(self, *args: Any, folder: Path, parts: str, keep: int, **options: Any) -> None:
        wanted = [part.strip() for part in parts.split(",")]
        if unknown := sorted(set(wanted) - set(PARTS)):
            raise CommandError(f"{unknown[0]} is no part: choose of {', '.join(PARTS)}.")
        places = here(folders_of(options["folder_of"]))
        phrase = phrase_of(options["passphrase_file"])
        try:
            copy = taking.take(folder, places, wanted, phrase, timezone.now())
            told = manifest.read(copy)
            gone = taking.forget_old(folder, keep) if keep > 0 else []
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{copy}: {', '.join(told.parts)}")
        self.stdout.write(f"left out: {', '.join(told.left_out) or 'nothing'}")
        for old in gone:
            self.stdout.write(f"removed {old}")
