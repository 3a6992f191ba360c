"""Facts of a record, one on a line: `- Name: value`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from typing import Any, Final

from governance.meetings.lines import unmarked
from governance.meetings.reading.problem import Fault, Reader

Line = tuple[int, str]
FACT: Final = re.compile(r"[-*] ([A-Z][a-z ]+): *(.*)")
Parse = Callable[[Reader, int, str], Any]


def words(_reader: Reader, _line: int, value: str) -> str:
    return unmarked(value)


def moment(reader: Reader, line: int, value: str) -> datetime | None:
    try:
        return datetime.strptime(value, "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    except ValueError:
        reader.wrong(line, Fault.NOT_A_MOMENT, value)
        return None


def clock(reader: Reader, line: int, value: str) -> time | None:
    if not value:
        return None
    try:
        return datetime.strptime(value, "%H:%M").time()  # noqa: DTZ007 - a time of day
    except ValueError:
        reader.wrong(line, Fault.NOT_A_TIME, value)
        return None


def spans(reader: Reader, line: int, value: str) -> tuple[tuple[time, time], ...]:
    """`14:20–14:40, 15:00–15:05`; a hyphen is read too."""
    found = []
    for told in filter(None, (part.strip() for part in value.split(","))):
        times = [clock(Reader(), line, each.strip()) for each in re.split("[–-]", told)]
        if len(times) != 2 or times[0] is None or times[1] is None:
            reader.wrong(line, Fault.NOT_A_SPAN, told)
        else:
            found.append((times[0], times[1]))
    return tuple(found)


def number_of(reader: Reader, line: int, value: str) -> int | None:
    if re.fullmatch(r"[1-9]\d{0,2}", value):
        return int(value)
    reader.wrong(line, Fault.NOT_A_NUMBER, value)
    return None


def session(reader: Reader, line: int, value: str) -> bool:
    if value not in {"closed", "open"}:
        reader.wrong(line, Fault.NOT_A_SESSION, value)
    return value == "closed"


def hexadecimal(digits: int, fault: Fault) -> Parse:
    """A number of that many hexadecimal digits, in small letters."""

    def parse(reader: Reader, line: int, value: str) -> str:
        if not re.fullmatch(f"[0-9a-f]{{{digits}}}", value):
            reader.wrong(line, fault, value)
        return value

    return parse


DOCUMENT_FACTS: Final[Mapping[str, Parse]] = {
    "Body": words,
    "Begins": moment,
    "Ends": moment,
    "Place": words,
    "Called to order": clock,
    "Adjourned": clock,
}
ITEM_FACTS: Final[Mapping[str, Parse]] = {
    "About": words,
    "Motion": words,
    "Presented by": words,
    "Minutes": number_of,
    "Session": session,
    "Salt": hexadecimal(32, Fault.NOT_A_SALT),
    "Sealed": hexadecimal(64, Fault.NOT_A_SEAL),
    "Result": words,
}


def fact_of(line: str, known: Mapping[str, Parse]) -> tuple[str, str] | None:
    found = FACT.fullmatch(line.rstrip())
    return (found.group(1), found.group(2)) if found and found.group(1) in known else None


def facts_of(
    reader: Reader, section: list[Line], known: Mapping[str, Parse]
) -> tuple[dict[str, Any], list[Line]]:
    """What stands beneath the heading as `- Name: value`, and the lines that follow it."""
    facts: dict[str, Any] = {}
    body = section[1:]
    while body and not body[0][1].strip():
        body = body[1:]
    while body and (pair := fact_of(body[0][1], known)):
        number, (name, value) = body[0][0], pair
        if name in facts:
            reader.wrong(number, Fault.TWICE, name)
        facts[name] = known[name](reader, number, value.strip())
        body = body[1:]
    return facts, body
