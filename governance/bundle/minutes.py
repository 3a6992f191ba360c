"""Checks the record of approved minutes: the text is the one that a motion of the body approved,
and what is told apart from it (who was there, which consents are filed) stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from governance.bundle import chain, filing
from governance.meetings import document as meeting
from governance.meetings.reading import ReadingError, read
from governance.meetings.sealing import is_sealed, published, text_hash

Document = dict[str, Any]
# What no later edition of a record may say otherwise.
FIXED = (
    *("meeting", "body.slug", "number", "text", "text_sha256", "note", "submitted", "motion"),
    *("approved", "history", "attendance", "consents", "closed_sessions"),
)


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """What is wrong with it; `others` are all records by name, the last edition of each."""
    try:
        yield from _text(document, read(document["text"]))
    except ReadingError as error:
        yield f"the text does not read as minutes: {error}"
    yield from _approval(document, others.get(document["motion"]))
    yield from _history(document, others)
    yield from filing.of_minutes(document, others)


def published_as(text: str, documents: Mapping[str, Document]) -> list[str]:
    """The names of the records that this text of minutes, with its closed sessions or without, was
    approved as. Raises ReadingError.
    """
    sha256 = text_hash(read(text))
    found = (name for name, each in documents.items() if each.get("kind") == "minutes")
    return sorted(name for name in found if documents[name]["text_sha256"] == sha256)


def _text(document: Document, found: meeting.Document) -> Iterator[str]:
    """What everybody reads. The hash is of this text, in which a hash stands for each closed
    session; before those had one it was of the whole text, which is not here.
    """
    for name, tell in PARTS.items():
        if tell(found) != document[name]:
            yield f"what it tells of “{name}” is not what the text says"
    if published(found) != found:
        yield "a closed session tells more than its title"
    if found.body != document["body"]["slug"]:
        yield "the text is of another body"
    if is_sealed(found) and chain.digest(document["text"].encode()) != document["text_sha256"]:
        yield "the text is not the one that was approved"


def _approval(document: Document, motion: Document | None) -> Iterator[str]:
    if motion is None:
        yield f"the motion that approved them ({document['motion']}) is not in the bundle"
        return
    if not motion["resolution"]:
        yield "the motion that was to approve them was not carried"
    if motion["body"]["slug"] != document["body"]["slug"]:
        yield "another body approved them"
    if not _names(motion, document["text_sha256"]):
        yield "the motion that approved them is about another text"
    if _moment(motion["decided"]) != _moment(document["approved"]):
        yield "they were approved at another time than the motion was carried"
    if _moment(document["approved"]) < _moment(document["submitted"]):
        yield "they were approved before they were put before the body"


def _history(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """Every version before: what was approved of them is in the bundle with the same hash."""
    history = document["history"]
    if [each["number"] for each in history] != list(range(1, document["number"])):
        yield "a version before it is not told"
    for each in history:
        whose = f"version {each['number']}"
        motion = others.get(each["motion"] or "")
        if motion is not None and not _names(motion, each["text_sha256"]):
            yield f"the motion about {whose} is about another text"
        record = others.get(f"minutes/{document['meeting']}-{each['number']}")
        if (each["state"] == "approved") != (record is not None):
            yield f"{whose} is told as {each['state']}, which the bundle does not say"
        if record is not None and record["text_sha256"] != each["text_sha256"]:
            yield f"{whose} had another text"


def _names(motion: Document, sha256: str) -> bool:
    """Whether the motion says which text it approves; of a redacted one only its hash is left."""
    return sha256 in motion["text"] or bool(motion.get("redactions"))


def _moment(told: str) -> datetime:
    return datetime.fromisoformat(told)


# ── what is told apart from the text ─────────────────────────────────────────
def _attendance(found: meeting.Document) -> list[Document]:
    return [
        {
            "name": person.name,
            "seat": person.seat,
            "attendance": person.kind.value,
            "arrived": f"{person.arrived:%H:%M}" if person.arrived else None,
            "left": f"{person.left:%H:%M}" if person.left else None,
            **_outside(person),
        }
        for person in found.people
    ]


def _outside(person: meeting.Person) -> Document:
    spans = [[f"{at:%H:%M}" for at in span] for span in person.outside]
    return {"outside": spans} if spans else {}


def _consents(found: meeting.Document) -> list[Document]:
    return [
        {
            "resolution": each.resolution,
            "title": each.title,
            "effective": each.effective.isoformat(),
            "text_sha256": each.text_sha256,
        }
        for each in found.consents
    ]


def _closed_sessions(found: meeting.Document) -> list[str]:
    return [item.title for item in found.items if item.is_closed]


PARTS: Final[dict[str, Callable[[meeting.Document], Any]]] = {
    "begins": lambda found: found.begins.isoformat(),
    "attendance": _attendance,
    "consents": _consents,
    "closed_sessions": _closed_sessions,
}
