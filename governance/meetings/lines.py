"""What stands on one line of the document, and where code begins and ends in it; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MARKS: Final = re.compile(r"([\\|*_`\[\]<>&~])")
MARKED: Final = re.compile(r"\\([\\|*_`\[\]<>&~])")
FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")

HEADING: Final = re.compile(r" {0,3}#{1,2}(?:[ \t]|$)")
TASKS: Final = "### Action items"


def plain(words: str) -> str:
    """On one line, with every mark taken as it is."""
    return MARKS.sub(r"\\\1", one_line(words))


def unmarked(words: str) -> str:
    """What `plain` was given."""
    return MARKED.sub(r"\1", words)


def one_line(words: str) -> str:
    return " ".join(words.split())


def tidy(text: str) -> str:
    """Lines end alike, no empty ones around."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return "\n".join(lines)


def outside_code(lines: list[str]) -> Iterator[bool]:
    """For each line whether it is text, not within (or at the edge of) fenced code."""
    fence = ""
    for line in lines:
        found = FENCE.fullmatch(line)
        if not fence:
            yield found is None
            fence = found.group(1) if found else ""
            continue
        yield False
        if found and _closes(fence, found):
            fence = ""


def _closes(fence: str, found: re.Match[str]) -> bool:
    mark, rest = found.groups()
    return mark[0] == fence[0] and len(mark) >= len(fence) and not rest.strip()


def ends_in_code(lines: list[str]) -> bool:
    """Whether fenced code is never closed and would swallow what follows."""
    return bool(lines) and not list(outside_code([*lines, ""]))[-1]
