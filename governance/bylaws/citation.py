"""Clauses as other texts name them: `Bylaw 4.2`."""

from __future__ import annotations

import re
from typing import Final

CITATION: Final = re.compile(r"\b([^\W\d_][\w-]*) (\d{1,3}[a-z]?(?:\.\d{1,3}[a-z]?)*)\b")


def citations(text: str) -> list[tuple[int, int, str, str]]:
    """Where each stands in the text (begin, end), with its word and the number of the clause."""
    found = CITATION.finditer(text)
    return [(match.start(), match.end(), match[1], match[2]) for match in found]


def anchor(number: str) -> str:
    """Where in the document the clause stands; a number without a dot is a whole article."""
    return f"c{number}" if "." in number else f"a{number}"
