"""What the commands backup and restore are told of this machine."""

from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandError

KEEPERS = ("signer", "registrar", "box")


def folders_of(words: Sequence[str]) -> dict[str, Path]:
    """`signer=/srv/signer` and its like."""
    result = {}
    for word in words:
        name, _, folder = word.partition("=")
        if name not in KEEPERS or not folder:
            raise CommandError(
                f"Write --folder-of NAME=FOLDER with a name of {', '.join(KEEPERS)}."
            )
        result[name] = Path(folder)
    return result


def phrase_of(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        phrase = path.read_text().strip()
    except OSError as error:
        raise CommandError(f"The pass phrase cannot be read: {error}") from error
    if len(phrase) < 12:
        raise CommandError(f"The pass phrase in {path} is shorter than 12 characters.")
    return phrase
