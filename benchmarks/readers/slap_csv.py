"""mariadb-slap's CSV: engine, kind, average, smallest, largest seconds, clients, queries.

A line is a summary of its iterations; there are no samples and no heading.
"""

from __future__ import annotations

import csv
import re
from typing import Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.numbers import number

COLUMNS: Final = 7
_CLIENTS: Final = re.compile(r"[0-9]{1,6}")


def recognises(file: File) -> bool:
    if file.data is not None:
        return False
    try:
        rows = [row for row in csv.reader(file.text.splitlines()) if row]
    except csv.Error:  # a cell that no table has
        return False
    return bool(rows) and all(len(row) == COLUMNS and _CLIENTS.fullmatch(row[5]) for row in rows)


def read(file: File) -> Document:
    rows = csv.reader(file.text.splitlines())
    return Document(
        format="slap-csv",
        results=[_read_row(row, f"line {at}") for at, row in enumerate(rows, start=1) if row],
        tool={"name": "mariadb-slap"},
        remarks=["The file has no samples: no interval, no verdict."],
    )


def _read_row(row: list[str], place: str) -> Measured:
    engine, kind, average, smallest, largest, clients, queries = row
    try:
        mean, low, high = (float(value) for value in (average, smallest, largest))
    except ValueError:
        raise RefusedError(place, "Three numbers of seconds are expected here.") from None
    return Measured(
        place=place,
        case=kind or "load",
        subject=Subject("mariadb-slap"),
        metric="duration",
        unit="s",
        direction="lower",
        summary={
            "mean": number(mean, place),
            "min": number(low, place),
            "max": number(high, place),
        },
        params={
            "threads": int(clients),
            "queries_per_client": queries,
            **({"engine": engine} if engine else {}),
        },
    )
