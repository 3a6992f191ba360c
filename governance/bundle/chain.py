"""Digests of records, and the head that stands for all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any


def canonical(document: dict[str, Any]) -> bytes:
    """The one way to write a document: names in order, UTF-8, a line for each value."""
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return text.encode() + b"\n"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def follow(head: str, sha256: str) -> str:
    """The head after a record of that digest; before the first record the head is empty."""
    return hashlib.sha256(f"{head}{sha256}".encode()).hexdigest()


def heads(digests: Iterable[str]) -> Iterator[str]:
    """The head after each record."""
    head = ""
    for each in digests:
        head = follow(head, each)
        yield head
