"""Small words of the steps."""

from __future__ import annotations

from collections.abc import Sequence


def number(count: int, what: str) -> str:
    """
    >>> number(1, "block"), number(1200, "ballot")
    ('1 block', '1,200 ballots')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def several(names: Sequence[str]) -> str:
    """
    >>> several(["Ada"]), several(["Ada", "Bob", "Cy"])
    ('Ada', 'Ada, Bob and Cy')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def short(digest: str) -> str:
    """Enough of a hash to find it."""
    return f"{digest[:16]}…" if digest else "without a name"
