"""What may be told of two facts of a server at once. Pure; `docs/decisions/0179` has the proof.

A table has a row for each block of servers that are told apart already, and a column for each
label. The sums of its rows and columns are published. Of such a table we tell whole rows only, in
columns that are wide enough: every cell that is told, and every column of the rows that are not,
holds no server or at least ten. What is left open then has sums of ten or more in every
direction, so that each cell in it could hold ten servers more or fewer for all that is published.

A third fact is told of blocks of the first two, and of nothing else, so that tables meet only in
numbers that are published themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from feedback.publication import OTHER, SMALLEST

Row = TypeVar("Row", bound=Hashable)
Table = Mapping[Row, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Told(Generic[Row]):
    """The rows that are told, and the columns of all the others together."""

    rows: Mapping[Row, Mapping[str, int]]
    rest: Mapping[str, int]

    @property
    def servers(self) -> int:
        return sum(sum(cells.values()) for cells in self.rows.values())

    @property
    def tells_something(self) -> bool:
        """Whether there are two columns at least; one says what the sum of the row says."""
        columns = {label for cells in [*self.rows.values(), self.rest] for label in cells}
        return bool(self.rows) and len(columns) > 1


def tell(table: Table[Row], *, joins: bool = True) -> Told[Row]:
    """Leave out rows and join columns to `other`, cheapest first, until nothing small is told.

    Without `joins` the columns stay as they are: those of a yes-or-no question.
    """
    rows = {row: Counter({k: n for k, n in cells.items() if n}) for row, cells in table.items()}
    left_out: Counter[str] = Counter()
    while rows and (faults := _Faults.of(rows, left_out)):
        way = _cheapest(rows, left_out, faults, joins=joins)
        if way.row is not None:
            left_out += rows.pop(way.row)
        else:
            _join(way.column, [*rows.values(), left_out])
    return Told(rows, left_out if rows else {})


@dataclass(frozen=True, slots=True)
class _Faults(Generic[Row]):
    """Where small numbers would be told: in rows, and in columns of the rows that are left out."""

    cells: list[tuple[Row, str]]
    rest: list[str]

    @classmethod
    def of(cls, rows: Mapping[Row, Counter[str]], rest: Mapping[str, int]) -> _Faults[Row]:
        return cls(
            [(row, k) for row, cells in rows.items() for k, n in cells.items() if _is_small(n)],
            [label for label, n in rest.items() if _is_small(n)],
        )

    def __bool__(self) -> bool:
        return bool(self.cells or self.rest)


def _is_small(servers: int) -> bool:
    return 0 < servers < SMALLEST


@dataclass(frozen=True, slots=True)
class _Way(Generic[Row]):
    """A row to leave out, or a column to join: what it costs for each fault, and its name."""

    cost: float
    name: str
    row: Row | None = None
    column: str = ""


def _cheapest(
    rows: Mapping[Row, Counter[str]], rest: Mapping[str, int], faults: _Faults[Row], *, joins: bool
) -> _Way[Row]:
    by_row = Counter(row for row, _ in faults.cells)
    for label in faults.rest:
        by_row.update(row for row, cells in rows.items() if cells[label])  # fills the rest
    ways = [_Way(sum(rows[row].values()) / times, repr(row), row) for row, times in by_row.items()]
    if joins:
        ways += _joining(rows, rest, faults)
    return min(ways, key=lambda way: (way.cost, way.name))


def _joining(
    rows: Mapping[Row, Counter[str]], rest: Mapping[str, int], faults: _Faults[Row]
) -> list[_Way[Row]]:
    width: Counter[str] = Counter(rest)
    for cells in rows.values():
        width.update(cells)
    if len(width) <= 2:  # one column says what the row says
        return []
    smallest = min(width.keys() - {OTHER}, key=lambda label: (width[label], label))
    by_column = Counter([label for _, label in faults.cells] + faults.rest)
    by_column[smallest] += by_column.pop(OTHER, 0)  # it makes `other` wider
    return [_Way(width[k] / times, k, column=k) for k, times in by_column.items() if times]


def _join(column: str, tables: list[Counter[str]]) -> None:
    """Let a column join `other`; the smallest one joins with it where nothing is there yet."""
    width: Counter[str] = sum(tables, Counter())
    joining = [column]
    if OTHER not in width:
        others = [label for label in width if label != column]
        joining.append(min(others, key=lambda label: (width[label], label)))
    for cells in tables:
        if servers := sum(cells.pop(label, 0) for label in joining):
            cells[OTHER] += servers
