"""The score of a CVSS vector, and the word for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from cvss import CVSS3, CVSS4
from cvss.exceptions import CVSSError

# The qualitative scale of CVSS 3 and 4: the least score of each word, highest first.
WORDS: Final = (("critical", 9), ("high", 7), ("medium", 4), ("low", 0))
UPDATEINFO: Final = {
    "critical": "Critical",
    "high": "Important",
    "medium": "Moderate",
    "low": "Low",
    "none": "None",
}


def score(vector: str) -> Decimal:
    """The base score of a CVSS 3.0, 3.1 or 4.0 vector. Raises ValueError."""
    read = CVSS4 if vector.startswith("CVSS:4.") else CVSS3
    try:
        return Decimal(str(read(vector).scores()[0]))
    except CVSSError as error:
        raise ValueError(str(error)) from None


def word(score: Decimal) -> str:
    """critical, high, medium, low, or none for 0."""
    if score == 0:
        return "none"
    return next(word for word, least in WORDS if score >= least)


def is_version_4(vector: str) -> bool:
    return vector.startswith("CVSS:4.")
