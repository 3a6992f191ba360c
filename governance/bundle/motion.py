"""Checks the record of a motion: its text, its votes, and its arithmetic, which is done again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from governance.bundle import numbering, plain
from governance.bundle.chain import digest
from governance.tally import lot
from governance.tally.report import Outcome, Report, report
from governance.tally.rollcall import Cast, Place, count, count_classes, stand
from governance.tally.rules import Rules, Tie

Document = dict[str, Any]
# What no later edition of a record may say otherwise.
FIXED = (
    *("title", "text", "text_sha256", "body.slug", "opened", "deadline", "decided", "rules"),
    *("roster", "votes", "lot", "result", "resolution"),
)


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """What is wrong with it; `others` are all records by name, the last edition of each."""
    is_whole = not document.get("redactions")  # else only the digest of the text is left
    if is_whole and digest(document["text"].encode()) != document["text_sha256"]:
        yield "the text is not the one that was put to the vote"
    drawn = document.get("lot")
    if drawn and lot.commitment(bytes.fromhex(drawn["nonce"])) != drawn["commitment"]:
        yield "the nonce of the lot is not the one that was committed to before the vote"
    yield from _votes(document)
    rules = others.get(document["rules"])
    if rules is None:
        yield f"its rules ({document['rules']}) are not in the bundle"
    else:
        yield from _result(document, recount(document, rules))


def recount(document: Document, rules: Document) -> Report:
    """The whole arithmetic, from the roster, the votes, the rules and the nonce of the lot."""
    asked = plain.load(Rules, rules["numbers"])
    places = plain.load(list[Place], [_only(Place, each) for each in document["roster"]])
    casts = plain.load(list[Cast], [_only(Cast, each) for each in document["votes"]])
    counted = count(places, casts)
    if asked.tie is Tie.LOT:
        nonce = bytes.fromhex(document["lot"]["nonce"])
        seed = lot.seed(nonce, document["text_sha256"], stand(places, casts))
        counted = replace(counted, lot=lot.draw(seed))
    classes = count_classes(places, casts) if asked.per_class else {}
    return report(counted, asked, classes=classes)


def result(counted: Report) -> Document:
    """What of the arithmetic is kept in the record."""
    told: Document = plain.dump(counted)
    return {name: value for name, value in told.items() if name != "rules"}


def _only(kind: type, row: Document) -> Document:
    names = kind.__dataclass_fields__  # type: ignore[attr-defined]
    return {name: value for name, value in row.items() if name in names}


def _votes(document: Document) -> Iterator[str]:
    """Everybody on the roster once, every vote by one of them, in time, each once."""
    seats = Counter(row["seat"] for row in document["roster"])
    yield from (f"seat {seat} is on the roster twice" for seat, n in seats.items() if n > 1)
    sequences = Counter(vote["sequence"] for vote in document["votes"])
    yield from (f"vote {number} is there twice" for number, n in sequences.items() if n > 1)
    opened = datetime.fromisoformat(document["opened"])
    ends = (document["deadline"], document["decided"])
    ended = min(datetime.fromisoformat(end) for end in ends if end)
    for vote in document["votes"]:
        cast = datetime.fromisoformat(vote["cast"])
        if vote["seat"] not in seats:
            yield f"seat {vote['seat']} voted and is not on the roster"
        if not opened <= cast <= ended:
            yield f"a vote of seat {vote['seat']} was cast at {vote['cast']}, when none was open"


def _result(document: Document, counted: Report) -> Iterator[str]:
    if not plain.holds(result(counted), document["result"]):
        yield "counted again, the result is another one than recorded"
    is_carried = counted.outcome is Outcome.ADOPTED
    yield from numbering.of_one(document, is_carried=is_carried)
