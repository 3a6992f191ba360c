"""Tables of figures as Markdown, which an editor goes on writing, and as rows of CSV; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from portal.news.plain import plain

Cell = str | int


@dataclass(frozen=True, slots=True)
class Table:
    """What it is about, its columns, its rows; numbers stay numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        rows = [list(row) for row in self.rows]
        return {"title": self.title, "columns": list(self.columns), "rows": rows, "note": self.note}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Table:
        rows = tuple(tuple(row) for row in kept["rows"])
        return cls(kept["title"], tuple(kept["columns"]), rows, kept.get("note", ""))


def markdown(table: Table) -> str:
    """The table without its title; where it has no row, the note alone."""
    parts = []
    if table.rows:
        numeric = [all(isinstance(row[n], int) for row in table.rows) for n in _span(table)]
        lines = [_line(table.columns), _line(["---:" if right else "---" for right in numeric])]
        parts.append(
            "\n".join(lines + [_line([_shown(cell) for cell in row]) for row in table.rows])
        )
    if table.note:
        parts.append(table.note)
    return "\n\n".join(parts)


def document(tables: Sequence[Table]) -> str:
    """All tables under their headings."""
    return "\n\n".join(f"## {table.title}\n\n{markdown(table)}" for table in tables) + "\n"


def renewed(text: str, before: Sequence[Table], after: Sequence[Table]) -> tuple[str, list[str]]:
    """The text with the new tables where the old ones stand untouched.

    A table that somebody edited is left alone; the titles of those whose numbers differ come back.
    """
    old = {table.title: markdown(table) for table in before}
    left_alone = []
    for table in after:
        new, known = markdown(table), old.get(table.title, "")
        if new == known:
            continue
        if known and known in text:
            text = text.replace(known, new, 1)
        else:
            left_alone.append(table.title)
    return text, left_alone


def csv_rows(tables: Sequence[Table]) -> Iterator[tuple[Cell, ...]]:
    """One line for each number: table, what of it, which column, the number."""
    yield ("table", "row", "column", "value")
    for table in tables:
        for row in table.rows:
            numbers = [n for n in _span(table) if isinstance(row[n], int)]
            words = " / ".join(str(cell) for cell in row if isinstance(cell, str))
            for n in numbers:
                yield (table.title, words, table.columns[n], row[n])
            if not numbers:
                yield (table.title, words, "", "")


def _span(table: Table) -> range:
    return range(len(table.columns))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(cell: Cell) -> str:
    """Numbers in groups of three with a true minus; words cannot end a cell or begin markup."""
    if isinstance(cell, int):
        return f"{cell:,}".replace("-", "\N{MINUS SIGN}")
    return plain(cell)
