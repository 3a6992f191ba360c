"""Points of the agenda, with what was said and who does what."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from governance.meetings.document import Item, Task
from governance.meetings.lines import TASKS, outside_code, tidy, unmarked
from governance.meetings.reading.fact import ITEM_FACTS, Line, facts_of
from governance.meetings.reading.problem import Fault, Reader

ITEM: Final = re.compile(r" {0,3}## +(?:\d+\. +)?(.+)")
TASK: Final = re.compile(
    r"[-*] \[([ xX])\] \*\*((?:\\.|[^*\\])+)\*\*(?: \(due (\d{4}-\d\d-\d\d)\))?: *(.+)"
)


def items_of(reader: Reader, section: list[Line]) -> list[Item]:
    number, heading = section[0]
    title = ITEM.fullmatch(heading)
    if title is None:
        reader.wrong(number, Fault.HEADING, heading)
        return []
    facts, body = facts_of(reader, section, ITEM_FACTS)
    text, tasks = _split(body)
    return [
        Item(
            title=unmarked(title.group(1).strip()),
            about=facts.get("About", ""),
            motion=facts.get("Motion", ""),
            presenter=facts.get("Presented by", ""),
            minutes=facts.get("Minutes"),
            is_closed=facts.get("Session", False),
            salt=facts.get("Salt", ""),
            sealed=facts.get("Sealed", ""),
            result=facts.get("Result", ""),
            text=tidy("\n".join(line for _number, line in text)),
            tasks=tuple(_tasks(reader, tasks)),
        )
    ]


def _split(body: list[Line]) -> tuple[list[Line], list[Line]]:
    """What was said, and the lines beneath "Action items"."""
    lines = [line for _number, line in body]
    for place, is_text in enumerate(outside_code(lines)):
        if is_text and lines[place].rstrip() == TASKS:
            return body[:place], body[place + 1 :]
    return body, []


def _tasks(reader: Reader, lines: list[Line]) -> list[Task]:
    return [task for number, line in lines if line.strip() if (task := _task(reader, number, line))]


def _task(reader: Reader, number: int, line: str) -> Task | None:
    found = TASK.fullmatch(line.rstrip())
    if found is None:
        reader.wrong(number, Fault.NOT_A_TASK, line)
        return None
    mark, owner, due, text = found.groups()
    return Task(unmarked(owner), unmarked(text), _day(reader, number, due), mark != " ")


def _day(reader: Reader, number: int, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        reader.wrong(number, Fault.NOT_A_DATE, value)
        return None
