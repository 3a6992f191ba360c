"""The catalogues of `locale/`: all texts, and nothing that changes by itself."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.core.management.commands import makemessages

FIXED: Final = {
    "extensions": ["html", "txt", "py"],
    "ignore_patterns": ["tests", "bench", "docs", "static", "var", ".*", "venv", "conftest.py"],
    # No place and no day: a catalogue changes only with its texts.
    "no_location": True,
    "no_obsolete": True,
    "no_wrap": True,
    "keep_pot": True,
}
DAY: Final = re.compile(rb'^"POT-Creation-Date: .*\n', re.MULTILINE)


class Command(makemessages.Command):
    help = "Collect the texts, merge them into every catalogue, compile it, say what is missing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; fail where texts are missing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(catalogues())
        codes = options["locale"] or [path.parent.parent.name for path in found]
        merged = {"locale": codes, "all": False}
        if options.pop("check"):
            merged = {"locale": [], "all": False, "exclude": codes}
        texts = Path(settings.LOCALE_PATHS[0]) / "django.pot"
        try:
            super().handle(*args, **options | FIXED | merged)
            if merged["locale"]:
                compile_all()
            faults = [path for path in catalogues() if not is_complete(path, texts)]
        finally:
            texts.unlink(missing_ok=True)
        if faults:
            raise CommandError("Translate what is named above, then: make messages")


def is_complete(catalogue: Path, texts: Path) -> bool:
    """Whether it says all of them; what is missing is printed as it stands in a catalogue."""
    merge = ["msgmerge", "--quiet", "--no-fuzzy-matching", "-o", "-", str(catalogue), str(texts)]
    merged = subprocess.run(merge, check=True, capture_output=True).stdout
    open_ones = [_only(kind, merged) for kind in ("--untranslated", "--only-fuzzy")]
    print(*(found for found in open_ones if found), sep="\n", end="")
    return not any(open_ones)


def _only(kind: str, merged: bytes) -> str:
    """The entries of that kind, without the head of the file."""
    choose = ["msgattrib", kind, "--no-obsolete", "--no-wrap"]
    found = subprocess.run(choose, input=merged, check=True, capture_output=True).stdout
    return found.decode().partition("\n\n")[2]


def compile_all() -> None:
    """What gettext reads, beside each text; placeholders are compared on the way."""
    for path in catalogues():
        path.write_bytes(DAY.sub(b"", path.read_bytes()))
        target = str(path.with_suffix(".mo"))
        subprocess.run(["msgfmt", "--check", "-o", target, str(path)], check=True)


def catalogues() -> Iterator[Path]:
    yield from sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po"))
