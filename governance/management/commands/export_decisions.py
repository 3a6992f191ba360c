"""`manage.py export_decisions FILE`: everything that was decided, as one signed bundle."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from governance.actions.bundle import UnsoundError, sign_bundle
from governance.actions.records import write_records
from governance.models import Bundle, Record
from releases import tasks
from releases.signing import SignerUnavailableError, SigningRefusedError


class Command(BaseCommand):
    help = "Write the signed bundle of everything that was decided into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to, for example decisions.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        write_records(whole=True)
        try:
            sign_bundle(signer=tasks.signer())
        except SignerUnavailableError as error:
            self.stderr.write(f"not signed anew: {error}")
        except (SigningRefusedError, UnsoundError) as error:
            raise CommandError(f"not signed: {error}") from None
        bundle = Bundle.objects.newest_first().filter(packed__isnull=False).first()
        if bundle is None:
            raise CommandError("nothing was signed yet: decide a motion, and start the signer")
        options["file"].write_bytes(bytes(bundle.packed or b""))
        waiting = Record.objects.filter(number__gt=bundle.size).count()
        self.stdout.write(f"{options['file']}: {bundle.size} records, head {bundle.head}")
        self.stdout.write(
            f"signed {bundle.signed_at:%Y-%m-%d %H:%M} UTC by {bundle.key.fingerprint}"
        )
        if waiting:
            self.stdout.write(f"{waiting} newer records wait for the signer")
