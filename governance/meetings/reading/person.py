"""The rows of the attendance."""

from __future__ import annotations

from governance.meetings.document import CAME, Kind, Person
from governance.meetings.reading.fact import Line, clock, spans
from governance.meetings.reading.problem import Fault, Reader
from governance.meetings.reading.table import cells_of, rows_of


def people_of(reader: Reader, lines: list[Line]) -> list[Person]:
    return [found for number, line in rows_of(lines) if (found := _person(reader, number, line))]


def _person(reader: Reader, number: int, line: str) -> Person | None:
    cells = cells_of(line)
    if len(cells) not in {5, 6} or not cells[0]:
        reader.wrong(number, Fault.NOT_A_ROW, line)
        return None
    if cells[2] not in set(Kind):
        reader.wrong(number, Fault.NOT_A_KIND, cells[2])
        return None
    kind = Kind(cells[2])
    if kind not in CAME and any(cells[3:]):
        reader.wrong(number, Fault.ABSENT_WITH_TIMES, cells[0])
    arrived, left = clock(reader, number, cells[3]), clock(reader, number, cells[4])
    outside = spans(reader, number, "".join(cells[5:]))
    return Person(cells[0], cells[1], kind, arrived, left, outside)
