"""Checks the record of a version of bylaws: its text is the one that was voted on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from governance.bundle.chain import digest

Document = dict[str, Any]
FIXED = ("bylaws.slug", "number", "text", "text_sha256", "motion", "adopted", "in_force")


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    if digest(document["text"].encode()) != document["text_sha256"]:
        yield "the text is not the one that was adopted"
    if document["in_force"] < document["adopted"]:
        yield "it is in force before it was adopted"
    yield from _place(document, others)
    if document["motion"] is not None:
        yield from _adoption(document, others.get(document["motion"]))


def _place(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """Each version follows one that is in force no later."""
    if document["number"] == 1:
        return
    before = others.get(f"bylaws/{document['bylaws']['slug']}-{document['number'] - 1}")
    if before is None:
        yield "the version before it is not in the bundle"
    elif before["in_force"] > document["in_force"]:
        yield "it is in force before the version that it replaces"


def _adoption(document: Document, motion: Document | None) -> Iterator[str]:
    if motion is None:
        yield f"the motion that adopted it ({document['motion']}) is not in the bundle"
    elif motion["text_sha256"] != document["text_sha256"]:
        yield "the motion that adopted it has another text"
    elif not motion["resolution"]:
        yield "the motion that adopted it was not carried"
