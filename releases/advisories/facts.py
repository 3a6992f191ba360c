"""What is known of an advisory, as plain data for the documents that are made of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Range:
    """The releases of one series that have the fault; `fixed` is "" while there is none.

    `install` is the release to take: the one with the fix, or the next one when that was withdrawn;
    "" while there is none.
    """

    series: str
    introduced: str
    fixed: str
    affected: Sequence[str]
    install: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    number: int
    at: dt.datetime
    summary: str


@dataclass(frozen=True, slots=True)
class Facts:
    """One published advisory. Times are UTC; `address` is that of its page."""

    identifier: str
    product: str
    product_name: str
    cve_ids: Sequence[str]
    summary: str
    details: str
    vector: str
    score: Decimal
    severity: str
    published: dt.datetime
    modified: dt.datetime
    withdrawn: dt.datetime | None
    withdrawal: str
    references: Sequence[str]
    credits: Sequence[str]
    ranges: Sequence[Range]
    revisions: Sequence[Revision]
    address: str


@dataclass(frozen=True, slots=True)
class Publisher:
    """The foundation, as the one who answers for what is said."""

    name: str
    namespace: str
    contact: str


def stamp(at: dt.datetime) -> str:
    """A time as RFC 3339 in UTC, to the second."""
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
