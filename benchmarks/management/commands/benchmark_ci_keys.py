"""`manage.py benchmark_ci_keys ISSUER FILE`: keep the public keys that a CI signs with."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from benchmarks.actions.signer import keep_ci_keys
from benchmarks.models.signer import CI_ISSUERS
from benchmarks.trust.identity import BadTokenError


class Command(BaseCommand):
    help = (
        "Keeps the key set (JWKS) of a CI, so that its identity tokens are verified offline. Fetch"
        " it from the issuer by hand or by a timer; it changes a few times a year."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("issuer", choices=list(CI_ISSUERS))
        parser.add_argument("file", type=Path, help="the key set as the issuer publishes it")

    def handle(self, *args: Any, issuer: str, file: Path, **options: Any) -> None:
        try:
            keys = json.loads(file.read_text())
            count = keep_ci_keys(issuer=issuer, keys=keys, at=timezone.now())
        except (OSError, ValueError, BadTokenError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{count} keys of {CI_ISSUERS[issuer]} are kept.")
