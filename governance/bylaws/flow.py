"""Paragraphs without the ends of their lines, which say nothing there; pure.

Lists, headings, tables, quotations and code keep their lines. So do points such as `(a)` and `ii.`,
which Markdown takes for words of the paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

POINT: Final = r"\(?(?:\d{1,3}|[a-z]|x{0,3}(?:ix|iv|v?i{1,3}|[vx]))[.)]\s"
LISTED: Final = re.compile(rf"\s*(?:[-*+]\s|{POINT})", re.I)
FENCE: Final = re.compile(r"\s*(?:```|~~~)")
# A heading, a quotation, a row of a table, what underlines or divides.
ALONE: Final = re.compile(r"\s*(?:#{1,6}\s|>|\||```|~~~|[-=*_](?:\s*[-=*_])*$)")
CODE: Final = " " * 4


def unwrapped(text: str) -> str:
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    """Each as it is, or joined to those that it goes on from."""
    held = ""  # the paragraph so far
    in_code = False
    for line in lines:
        if held and not in_code and _goes_on(held, line):
            held = f"{held} {line.strip()}"
            continue
        if held:
            yield held
            held = ""
        if FENCE.match(line):
            in_code = not in_code
        if line.strip() and not in_code and not ALONE.match(line) and not line.startswith(CODE):
            held = line
        else:
            yield line
    if held:
        yield held


def _goes_on(held: str, line: str) -> bool:
    """Whether it is the next line of the paragraph; a backslash ends a line on purpose."""
    begins_anew = not line.strip() or LISTED.match(line) or ALONE.match(line)
    return not begins_anew and not held.endswith("\\")
