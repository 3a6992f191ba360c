"""Checks the record of what was carried by consensus: who was asked, what they said, and that it
was enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from governance.bundle import chain, numbering, plain
from governance.tally.consensus import Call, Finding, Stance, count, find
from governance.tally.rules import Rules, quorum_needed

Document = dict[str, Any]
# What no later edition of a record may say otherwise.
FIXED = (
    *("title", "text", "text_sha256", "body.slug", "decided", "called", "ends", "resolving_until"),
    *("needed", "participants", "positions", "resolution"),
)


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """What is wrong with it; `others` are all records by name, the last edition of each."""
    is_whole = not document.get("redactions")  # else only the digest of the text is left
    if is_whole and chain.digest(document["text"].encode()) != document["text_sha256"]:
        yield "the text is not the one that everybody was asked about"
    yield from _positions(document)
    if document.get("rules"):  # records of an older portal do not name them
        yield from _needed(document, others.get(document["rules"]))
    is_reached = finding(document) is Finding.REACHED
    yield from numbering.of_one(document, is_carried=is_reached)


def finding(document: Document) -> Finding:
    """What followed at the moment of the decision, from the last word of everybody counted."""
    counted = {row["seat"] for row in document["participants"] if row["is_counted"]}
    last = {said["seat"]: said["stance"] for said in document["positions"]}
    call = Call(
        counted=len(counted),
        needed=document["needed"],
        ends=datetime.fromisoformat(document["ends"]),
        resolving_until=_moment(document["resolving_until"]),
    )
    stances = count(Stance(stance) for seat, stance in last.items() if seat in counted)
    return find(call, stances, datetime.fromisoformat(document["decided"]))


def _needed(document: Document, rules: Document | None) -> Iterator[str]:
    """How many had to take part, by the rules under which it was called."""
    if rules is None:
        yield f"its rules ({document['rules']}) are not in the bundle"
        return
    counted = sum(row["is_counted"] for row in document["participants"])
    quorum = plain.load(Rules, rules["numbers"]).quorum
    if document["needed"] != min(counted, quorum_needed(quorum, counted)):
        yield "by its rules another number of people had to take part"


def _positions(document: Document) -> Iterator[str]:
    """Each is by somebody who was asked, after the call and before the decision."""
    asked = {row["seat"] for row in document["participants"]}
    begun, ended = (datetime.fromisoformat(document[name]) for name in ("called", "decided"))
    for said in document["positions"]:
        if said["seat"] not in asked:
            yield f"seat {said['seat']} spoke and was not asked"
        if not begun <= datetime.fromisoformat(said["said"]) <= ended:
            yield f"seat {said['seat']} spoke at {said['said']}, when nobody was asked"


def _moment(told: str | None) -> datetime | None:
    return datetime.fromisoformat(told) if told else None
