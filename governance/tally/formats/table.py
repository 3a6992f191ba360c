"""CSV: one column for each candidate with the rank that papers give them, and how many do.

An empty field is a candidate who was not ranked, below all who were; `-` is one of whom the papers
have no opinion. The seats and the title stand in the name of the first column.
"""

from __future__ import annotations

import csv
import io
import re

from governance.tally.formats.sheet import FormatError, Sheet, sheet
from governance.tally.schulze import NO_OPINION, UNRANKED

_FIRST = re.compile(r"papers for (?P<seats>\d{1,4}) seats?: (?P<title>.*)", re.DOTALL)
_WORDS = {UNRANKED: "", NO_OPINION: "-"}
_RANKS = {word: rank for rank, word in _WORDS.items()}


def write(contest: Sheet) -> str:
    """The contest as CSV, with line feeds."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    of = f"{contest.seats} seat{'s' if contest.seats != 1 else ''}"
    rows.writerow([f"papers for {of}: {contest.title}", *contest.candidates])
    for number, ranks in contest.papers:
        rows.writerow([number, *(_WORDS.get(rank, rank) for rank in ranks)])
    return out.getvalue()


def read(text: str) -> Sheet:
    """The contest of a CSV file. Raises FormatError with the line of what cannot be read."""
    rows = csv.reader(io.StringIO(text), strict=True)
    try:
        head = next(rows, [])
        first = _FIRST.fullmatch(head[0]) if head else None
        if first is None:
            raise FormatError("the first field is `papers for 2 seats: the title`", 1)
        papers = [_paper(row, len(head) - 1, rows.line_num) for row in rows if row]
    except csv.Error as error:
        raise FormatError(str(error), rows.line_num) from error
    return sheet(first["title"], head[1:], int(first["seats"]), papers)


def _paper(row: list[str], candidates: int, line: int) -> tuple[int, bytes]:
    if len(row) != candidates + 1:
        raise FormatError(f"{candidates + 1} fields were expected", line)
    if not re.fullmatch(r"\d{1,9}", row[0], re.ASCII):
        raise FormatError("the first field of a row is how many papers rank so", line)
    return int(row[0]), bytes(_rank(word.strip(), line) for word in row[1:])


def _rank(word: str, line: int) -> int:
    if word in _RANKS:
        return _RANKS[word]
    if not re.fullmatch(r"\d{1,3}", word, re.ASCII) or not NO_OPINION < int(word) < UNRANKED:
        raise FormatError(f"{word!r} is no rank from 1 to {UNRANKED - 1}", line)
    return int(word)
