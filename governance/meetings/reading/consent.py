"""The rows of the written consents that are filed with the minutes."""

from __future__ import annotations

from governance.meetings.document import Filed
from governance.meetings.reading.fact import Line, moment
from governance.meetings.reading.problem import Fault, Reader
from governance.meetings.reading.table import cells_of, rows_of


def consents_of(reader: Reader, lines: list[Line]) -> list[Filed]:
    return [found for number, line in rows_of(lines) if (found := _filed(reader, number, line))]


def _filed(reader: Reader, number: int, line: str) -> Filed | None:
    cells = cells_of(line)
    if len(cells) != 4 or not all(cells):
        reader.wrong(number, Fault.NOT_FILED, line)
        return None
    effective = moment(reader, number, cells[2])
    return Filed(cells[0], cells[1], effective, cells[3]) if effective else None
