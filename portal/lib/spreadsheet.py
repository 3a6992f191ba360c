"""CSV that a spreadsheet program may open: text of strangers stays text. Pure."""

import csv
import io
from collections.abc import Iterable, Iterator
from decimal import Decimal

# A cell that begins so is taken for a formula, and formulas can call out.
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(value: object) -> str:
    """The cell's text; one that would be a formula gets an apostrophe before it."""
    text = "" if value is None else str(value)
    number = isinstance(value, int | float | Decimal)
    return f"'{text}" if text.startswith(DANGEROUS) and not number else text


def lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """CSV lines (RFC 4180, CRLF) of `rows`, one by one, so that any length can be streamed."""
    for row in rows:
        line = io.StringIO()
        csv.writer(line).writerow([safe(cell) for cell in row])
        yield line.getvalue()
