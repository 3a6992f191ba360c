"""PrefLib's files of preferences (preflib.org): `.soc`, `.soi`, `.toc` and `.toi` are one format.

`s` is strict and `t` has ties; `c` ranks everybody and `i` only some. It knows neither seats nor
"no opinion": seats are a comment of our own, and papers with "no opinion" cannot be written.
"""

from __future__ import annotations

import re

from governance.tally.formats.sheet import FormatError, Sheet, check_candidates, levels, sheet
from governance.tally.schulze import NO_OPINION, UNRANKED

_HEAD = re.compile(r"# (?P<name>[A-Z ]+?(?: \d+)?): ?(?P<value>.*)")
_ORDER = re.compile(r"(?P<number>\d{1,9}) *:(?P<ranked>[\d,{} ]*)", re.ASCII)
_LEVEL = re.compile(r" *(?:\{(?P<several>[\d, ]*)\}|(?P<one>\d{1,9})) *(?:,|$)", re.ASCII)


def write(contest: Sheet) -> str:
    """The contest as PrefLib has it. Raises FormatError for papers with "no opinion"."""
    if any(NO_OPINION in ranks for _, ranks in contest.papers):
        raise FormatError('PrefLib has no word for "no opinion"; the CSV file has')
    orders = [(number, levels(ranks)) for number, ranks in contest.papers]
    lines = [
        f"# TITLE: {contest.title}",
        f"# DATA TYPE: {kind(contest)}",
        f"# NUMBER SEATS: {contest.seats}",
        f"# NUMBER ALTERNATIVES: {len(contest.candidates)}",
        f"# NUMBER VOTERS: {contest.number}",
        f"# NUMBER UNIQUE ORDERS: {len(orders)}",
    ]
    for number, name in enumerate(contest.candidates, 1):
        lines.append(f"# ALTERNATIVE NAME {number}: {name}")
    for number, ranked in orders:
        lines.append(f"{number}: {','.join(map(_level, ranked))}")
    return "".join(f"{line}\n" for line in lines)


def kind(contest: Sheet) -> str:
    """The ending of the file's name: soc, soi, toc or toi."""
    orders = [levels(ranks) for _, ranks in contest.papers]
    tied = any(len(level) > 1 for order in orders for level in order)
    every = all(sum(map(len, order)) == len(contest.candidates) for order in orders)
    return f"{'t' if tied else 's'}o{'c' if every else 'i'}"


def read(text: str) -> Sheet:
    """The contest of a PrefLib file. Raises FormatError with the line of what cannot be read."""
    head: dict[str, str] = {}
    papers = []
    for number, line in enumerate(text.splitlines(), 1):
        if found := _HEAD.fullmatch(line.rstrip()):
            head[found["name"]] = found["value"].strip()
        elif line.strip() and not line.startswith("#"):
            papers.append(_paper(line.strip(), _candidates(head), number))
    count = _candidates(head)
    names = [
        head.get(f"ALTERNATIVE NAME {one}") or f"Candidate {one}" for one in range(1, count + 1)
    ]
    seats = head.get("NUMBER SEATS", "1")
    return sheet(head.get("TITLE", ""), names, int(seats) if seats.isdecimal() else 0, papers)


def _candidates(head: dict[str, str]) -> int:
    value = head.get("NUMBER ALTERNATIVES", "")
    if not re.fullmatch(r"\d{1,4}", value, re.ASCII):
        raise FormatError("the line `# NUMBER ALTERNATIVES:` with a number is missing")
    check_candidates(int(value))
    return int(value)


def _paper(line: str, candidates: int, number: int) -> tuple[int, bytes]:
    found = _ORDER.fullmatch(line)
    if found is None:
        raise FormatError("a number, a colon and candidates were expected", number)
    ranks = bytearray([UNRANKED]) * candidates
    place, rank, ranked = 0, 0, found["ranked"].strip()
    while place < len(ranked):
        level = _LEVEL.match(ranked, place)
        if level is None:
            raise FormatError("candidates are numbers with commas, equal ones in braces", number)
        rank, place = rank + 1, level.end()
        for word in (level["several"] or level["one"] or "").split(","):
            if not word.strip().isdecimal() or not 1 <= int(word) <= candidates:
                raise FormatError(f"there is no candidate {word.strip()!r}", number)
            if ranks[int(word) - 1] != UNRANKED:
                raise FormatError(f"candidate {int(word)} is ranked twice", number)
            ranks[int(word) - 1] = rank
    return int(found["number"]), bytes(ranks)


def _level(level: list[int]) -> str:
    words = ",".join(str(one + 1) for one in level)
    return f"{{{words}}}" if len(level) > 1 else words
