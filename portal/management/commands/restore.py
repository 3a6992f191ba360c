"""`manage.py restore FOLDER`: bring a copy back into an empty place."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.backup import BackupError, restoring
from portal.backup.places import here
from portal.management.places import folders_of, phrase_of


class Command(BaseCommand):
    help = (
        "Look at every byte of a copy that `backup` made, and bring it back where databases and"
        " folders are empty. A run that was killed is begun again with the same words."
    )

    requires_system_checks = ()  # before the first `prepare` not everything is set

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a copy, or the folder with all of them")
        parser.add_argument(
            "--check", action="store_true", help="look at the copy, restore nothing"
        )
        parser.add_argument("--passphrase-file", type=Path, help="what opens keys and secrets")
        parser.add_argument(
            "--folder-of",
            action="append",
            default=[],
            metavar="NAME=FOLDER",
            help="where signer, registrar or box keeps its keys, if not below STATE_DIR",
        )

    def handle(self, *args: Any, folder: Path, check: bool, **options: Any) -> None:
        phrase = phrase_of(options["passphrase_file"])
        places = here(folders_of(options["folder_of"]))
        try:
            copy = restoring.newest(folder)
            if check:
                told, _ = restoring.verify(copy, phrase)
                self.stdout.write(f"{copy}: sound; {', '.join(told.parts)} of {told.taken_at}")
                return
            restoring.restore(copy, places, phrase, self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Now run `prepare`, and start the processes.")
