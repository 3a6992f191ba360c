"""Words of others inside Markdown, where they must not become markup; pure."""

from typing import Final

MARKS: Final = frozenset("\\|*_`[]<>&~")


def plain(words: str) -> str:
    """On one line, with every mark taken as it is."""
    return "".join(f"\\{mark}" if mark in MARKS else mark for mark in " ".join(words.split()))
