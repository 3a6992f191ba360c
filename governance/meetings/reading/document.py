"""The whole text: its title and facts, then a section for the attendance and for each point."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from governance.meetings.document import Document, Filed, Item, Person
from governance.meetings.lines import HEADING, TASKS, ends_in_code, outside_code, tidy, unmarked
from governance.meetings.reading.consent import consents_of
from governance.meetings.reading.fact import DOCUMENT_FACTS, ITEM_FACTS, Line, fact_of, facts_of
from governance.meetings.reading.item import items_of
from governance.meetings.reading.person import people_of
from governance.meetings.reading.problem import Fault, Problem, Reader, ReadingError

TITLE: Final = re.compile(r" {0,3}# +(.+)")


def read(text: str) -> Document:
    """The document of the text. Raises ReadingError."""
    reader = Reader()
    lines = tidy(text).split("\n")
    if ends_in_code(lines):
        reader.wrong(len(lines), Fault.OPEN_CODE)
    sections = _sections(lines)
    document = _document(reader, sections)
    if reader.problems or document is None:
        raise ReadingError(reader.problems)
    return document


def faults_of(text: str) -> list[Problem]:
    """Why the text of one item could not be told apart from the document around it."""
    reader = Reader()
    lines = tidy(text).split("\n")
    for number, (line, is_text) in enumerate(zip(lines, outside_code(lines), strict=True), 1):
        if is_text and (HEADING.match(line) or line == TASKS):
            reader.wrong(number, Fault.HEADING, line)
    if ends_in_code(lines):
        reader.wrong(len(lines), Fault.OPEN_CODE)
    if fact_of(lines[0], ITEM_FACTS):
        reader.wrong(1, Fault.STRAY, lines[0])
    return reader.problems


def _sections(lines: list[str]) -> list[list[Line]]:
    """The lines from each heading of the first or second level to the next."""
    found: list[list[Line]] = [[]]
    for number, (line, is_text) in enumerate(zip(lines, outside_code(lines), strict=True), 1):
        if is_text and HEADING.match(line):
            found.append([])
        found[-1].append((number, line))
    return found


def _document(reader: Reader, sections: list[list[Line]]) -> Document | None:
    before, *rest = sections
    _nothing(reader, before)
    title = TITLE.fullmatch(rest[0][0][1]) if rest else None
    if title is None:
        reader.wrong(1, Fault.NO_TITLE)
        return None
    facts, left = facts_of(reader, rest[0], DOCUMENT_FACTS)
    _nothing(reader, left)
    people: list[Person] = []
    consents: list[Filed] = []
    items: list[Item] = []
    for section in rest[1:]:
        heading = section[0][1].strip()
        if heading == "## Attendance":
            people += people_of(reader, section[1:])
        elif heading == "## Written consents":
            consents += consents_of(reader, section[1:])
        else:
            items += items_of(reader, section)
    _twice(reader, (person.name for person in people))
    begun = _begun(reader, unmarked(title.group(1).strip()), facts)
    return begun and replace(
        begun, people=tuple(people), consents=tuple(consents), items=tuple(items)
    )


def _begun(reader: Reader, title: str, facts: Mapping[str, Any]) -> Document | None:
    """The document with its facts alone."""
    missing = [name for name in ("Body", "Begins", "Ends") if name not in facts]
    for name in missing:
        reader.wrong(1, Fault.MISSING, name)
    if missing or None in (facts["Begins"], facts["Ends"]):
        return None
    if facts["Ends"] <= facts["Begins"]:
        reader.wrong(1, Fault.ENDS_FIRST)
    return Document(
        title=title,
        body=facts["Body"],
        begins=facts["Begins"],
        ends=facts["Ends"],
        place=facts.get("Place", ""),
        opened=facts.get("Called to order"),
        closed=facts.get("Adjourned"),
    )


def _twice(reader: Reader, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            reader.wrong(1, Fault.TWICE, name)
        seen.add(name)


def _nothing(reader: Reader, lines: list[Line]) -> None:
    for number, line in lines:
        if line.strip():
            reader.wrong(number, Fault.STRAY, line)
