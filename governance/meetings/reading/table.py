"""Tables of a record, a row a line."""

from __future__ import annotations

import re
from typing import Final

from governance.meetings.lines import one_line, unmarked
from governance.meetings.reading.fact import Line

CELL: Final = re.compile(r"(?:\\.|[^|\\])*")
RULE: Final = re.compile(r"[|\s:-]+")


def rows_of(lines: list[Line]) -> list[Line]:
    """Without the heading of the table and the rule beneath it."""
    rows = [(number, line) for number, line in lines if line.strip()]
    return rows[2:] if len(rows) > 1 and RULE.fullmatch(rows[1][1]) else rows


def cells_of(line: str) -> list[str]:
    inner = line.strip()
    if not (inner.startswith("|") and inner.endswith("|") and len(inner) > 1):
        return []
    cells, at = [], 1
    while at < len(inner):
        cell = CELL.match(inner, at)
        text = cell.group() if cell else ""
        cells.append(unmarked(one_line(text)))
        at += len(text) + 1
    return cells
