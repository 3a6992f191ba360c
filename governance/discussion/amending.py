"""What an amendment makes of a text; pure.

An amendment either writes the whole text anew or replaces one passage. A passage must stand in
the text exactly once: else nobody could say which place was meant.
"""

from __future__ import annotations

import re

from governance.bylaws.flow import unwrapped
from governance.discussion.finding import places


class NotFoundOnceError(ValueError):
    """The passage stands in the text `times` times, not once."""

    def __init__(self, times: int) -> None:
        super().__init__(f"the passage stands in the text {times} times")
        self.times = times


def amended(base: str, *, passage: str, replacement: str) -> str:
    """`base` with the passage replaced; without a passage the replacement is the whole text."""
    if not passage:
        return replacement
    found = places(base, passage)
    if len(found) != 1:
        raise NotFoundOnceError(len(found))
    [(begin, end)] = found
    return base[:begin] + replacement + base[end:]


def lines(text: str) -> str:
    """One kind of line end: browsers send CR LF, and a passage is looked for letter by letter."""
    return text.replace("\r\n", "\n")


def tidy(text: str) -> str:
    """As a browser sends it and a person means it: one kind of line end, no space at the ends."""
    return lines(text).strip()


def passages(text: str) -> list[str]:
    """The paragraphs of a text, each to be changed on its own; as a page shows them."""
    flowing = unwrapped(tidy(text))
    return [each.strip("\n") for each in re.split(r"\n[ \t]*\n", flowing) if each.strip()]
