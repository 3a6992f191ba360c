"""What the signer reads of a list of decisions before it signs it. Pure.

A list is only added to. Each of its records has a number, from 1, and a digest; the head of the
list is the SHA-256 of the head before and the digest, so it stands for all that is in the list.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Final

KIND: Final = "decisions"
DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Decisions:
    """When the list was made, and its head after each record."""

    date: dt.datetime
    heads: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.heads)

    @property
    def head(self) -> str:
        return self.head_at(self.size)

    def head_at(self, size: int) -> str:
        """The head when the list had that many records; empty if it never was so long."""
        return self.heads[size - 1] if 0 < size <= self.size else ""


def read(manifest: bytes) -> Decisions:
    """Raises ValueError for what is not one of our lists: UTF-8, each name once, not empty."""
    try:
        told = json.loads(manifest.decode(), object_pairs_hook=_each_once)
        if told["kind"] != KIND:
            raise ValueError("it is of another kind")
        date = dt.datetime.fromisoformat(told["date"])
        if date.tzinfo is None:
            raise ValueError("its date cannot be compared")
        found = Decisions(date, tuple(heads([record["sha256"] for record in told["records"]])))
        numbers = [record["number"] for record in told["records"]]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it does not read as one ({type(error).__name__}: {error})") from None
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise ValueError("its records are not numbered from 1")
    if (told.get("size"), told.get("head")) != (found.size, found.head):
        raise ValueError("its head is not that of its records")
    return found


def heads(digests: list[str]) -> list[str]:
    """The head of the list after each record."""
    found, head = [], ""
    for digest in digests:
        if not DIGEST.fullmatch(digest):
            raise ValueError("a digest is not a SHA-256")
        head = hashlib.sha256(f"{head}{digest}".encode()).hexdigest()
        found.append(head)
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers of a name that stands twice do not agree on which of them counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("it says something twice")
    return found
