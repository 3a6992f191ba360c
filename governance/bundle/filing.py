"""Checks that written consents are filed with minutes as those say, and each in one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

Document = dict[str, Any]


def of_minutes(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """The consents that minutes name took effect, with that text, before the meeting."""
    known = {each["resolution"]: each for each in _effective(others.values())}
    for named in document["consents"]:
        consent = known.get(named["resolution"])
        whose = f"the written consent {named['resolution']}, filed with them,"
        if consent is None:
            yield f"{whose} is not in the bundle"
        elif not _is_same(named, consent) or consent["body"]["slug"] != document["body"]["slug"]:
            yield f"{whose} says something else"
        elif _moment(named["effective"]) > _moment(document["begins"]):
            yield f"{whose} took effect after the meeting"


def problems(documents: Iterable[Document]) -> Iterator[str]:
    """No consent is filed with the minutes of two meetings."""
    places: dict[str, set[str]] = {}
    for minutes in _minutes(documents):
        for named in minutes.get("consents", []):
            places.setdefault(named["resolution"], set()).add(minutes["meeting"])
    for resolution, meetings in sorted(places.items()):
        if len(meetings) > 1:
            yield f"{resolution} is filed with the minutes of {' and '.join(sorted(meetings))}"


def told(documents: Iterable[Document]) -> Iterator[str]:
    """How many of the consents that took effect are filed, in words."""
    found = list(documents)
    effective = {each["resolution"] for each in _effective(found)}
    filed = {named["resolution"] for minutes in _minutes(found) for named in minutes["consents"]}
    if effective:
        yield f"{len(filed & effective)} of {len(effective)} effective consents filed with minutes"


def _effective(documents: Iterable[Document]) -> Iterator[Document]:
    for each in documents:
        if each.get("kind") == "consent" and each["effective"]:
            yield each


def _minutes(documents: Iterable[Document]) -> Iterator[Document]:
    return (each for each in documents if each.get("kind") == "minutes")


def _is_same(named: Document, consent: Document) -> bool:
    """Minutes tell the moment to the minute."""
    effective = _moment(consent["effective"]).replace(second=0, microsecond=0)
    at = _moment(named["effective"])
    return (at, named["text_sha256"]) == (effective, consent["text_sha256"])


def _moment(told_at: str) -> datetime:
    return datetime.fromisoformat(told_at)
