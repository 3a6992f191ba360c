"""Resolutions of a year are numbered 1, 2, 3, however they were decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Document = dict[str, Any]
CARRIED = {"adopted", "superseded"}


def problems(documents: Iterable[Document]) -> Iterator[str]:
    """What is wrong with the numbers of all resolutions together."""
    years: dict[str, list[int]] = {}
    for document in documents:
        if document.get("resolution"):
            year, _dash, number = str(document["resolution"]).partition("-")
            years.setdefault(year, []).append(int(number))
    for year, numbers in sorted(years.items()):
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            yield f"resolutions of {year} are not numbered without a gap: {sorted(numbers)}"


def of_one(document: Document, *, is_carried: bool) -> Iterator[str]:
    """Whether state and number are those of what was carried, or was not."""
    if is_carried != (document["state"] in CARRIED):
        outcome = "carried" if is_carried else "not carried"
        yield f"looked at again, it is {outcome}, and recorded as {document['state']}"
    if is_carried != bool(document["resolution"]) and not document.get("amendment"):
        yield "what is carried has a number, and nothing else has"
