"""Checks the record of a written consent: every statement that was signed, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from governance.bundle import chain, numbering, plain
from governance.tally.rules import ConsentRule, Rules

Document = dict[str, Any]
# What no later edition of a record may say otherwise.
FIXED = (
    *("title", "text", "text_sha256", "body.slug", "opened", "deadline", "effective", "rules"),
    *("needed", "roster", "acts", "resolution"),
)


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """What is wrong with it; `others` are all records by name, the last edition of each."""
    is_whole = not document.get("redactions")  # else only the digest of the text is left
    if is_whole and chain.digest(document["text"].encode()) != document["text_sha256"]:
        yield "the text is not the one that was signed"
    yield from _statements(document)
    rules = others.get(document["rules"])
    if rules is None:
        yield f"its rules ({document['rules']}) are not in the bundle"
        return
    if document["needed"] != needed(document, rules):
        yield "by its rules another number of signatures is needed"
    yield from numbering.of_one(document, is_carried=is_effective(document, rules))


def needed(document: Document, rules: Document) -> int | None:
    rule = plain.load(ConsentRule, rules["procedure"]["consent"])
    filled = sum(bool(row["name"]) for row in document["roster"])
    seats = len(document["roster"])
    numbers = plain.load(Rules, rules["numbers"])
    told: int | None = rule.signatures_needed(numbers, seats=seats, filled=filled)
    return told


def is_effective(document: Document, rules: Document) -> bool:
    """Whether enough signatures stood at the moment from which it is recorded as effective."""
    if not document["effective"]:
        return False
    at = datetime.fromisoformat(document["effective"])
    rule = plain.load(ConsentRule, rules["procedure"]["consent"])
    standing: dict[int, datetime] = {}
    for act in document["acts"]:
        said = act["statement"]
        made = datetime.fromisoformat(said["at"])
        ends = rule.closes_at(made)
        standing.pop(said["place"], None)
        if said["act"] == "sign" and made <= at and (ends is None or ends >= at):
            standing[said["place"]] = made
    return len(standing) >= int(document["needed"])


def _statements(document: Document) -> Iterator[str]:
    """Each is the one that was signed, by somebody on the list, about this text, in this order."""
    names = {row["seat"]: row["name"] for row in document["roster"]}
    previous, opened = "", datetime.fromisoformat(document["opened"])
    for act in document["acts"]:
        said = act["statement"]
        whose = f"the statement of {said['name']}"
        if chain.digest(chain.canonical(said)) != act["sha256"]:
            yield f"{whose} is not the one that was signed"
        if said["previous"] != previous:
            yield f"{whose} does not follow the one before it"
        if said["text_sha256"] != document["text_sha256"]:
            yield f"{whose} is about another text"
        if not said["name"] or names.get(said["place"]) != said["name"]:
            yield f"{whose} is by somebody who is not on the list"
        if datetime.fromisoformat(said["at"]) < opened:
            yield f"{whose} was made before anybody was asked"
        previous = act["sha256"]
