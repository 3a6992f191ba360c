"""What the signer reads of a CSAF document before it signs it. Pure."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any, Final

CATEGORY: Final = "csaf_security_advisory"
VERSION: Final = "2.0"


@dataclass(frozen=True, slots=True)
class Tracking:
    """Which advisory it is, in which revision, when that was made, and when the first one was."""

    identifier: str
    version: int
    changed: dt.datetime
    first: str


def read(document: bytes) -> Tracking:
    """Raises ValueError for what is not one of our documents: UTF-8, each name once."""
    try:
        head = json.loads(document.decode(), object_pairs_hook=_each_once)["document"]
        if (head["category"], head["csaf_version"]) != (CATEGORY, VERSION):
            raise ValueError(f"it is not a {CATEGORY} of CSAF {VERSION}")
        told = head["tracking"]
        changed = dt.datetime.fromisoformat(told["current_release_date"])
        if changed.tzinfo is None or not isinstance(told["version"], str):
            raise ValueError("its date or version cannot be compared")
        return Tracking(
            str(told["id"]), int(told["version"]), changed, str(told["initial_release_date"])
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it does not read as one ({type(error).__name__}: {error})") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers of a name that stands twice do not agree on which of them counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("it says something twice")
    return found
