"""How many terms in a row a person has held, and when a term ends."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Held:
    """A term that was held, or is given until a day that is to come."""

    since: date
    until: date


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `terms` in a row; after a break of `break_months` the count begins anew.

    A term of which half or less was held does not count, as Robert's Rules have it (12th edition,
    47:4: who "has served more than half a term is considered to have served a full term").
    Where a full term has no length (`months` is 0) every term counts.
    """

    terms: int
    break_months: int = 12
    months: int = 0


def terms_in_a_row(held: Iterable[Held], since: date, limit: Limit) -> int:
    """How many terms that count lie before one that begins at `since`, without a break."""
    count, begin = 0, since
    for term in sorted(held, key=lambda term: term.since, reverse=True):
        if term.since >= since:
            continue
        if limit.break_months and add_months(term.until, limit.break_months) <= begin:
            break
        count += _counts(term, limit)
        begin = term.since
    return count


def _counts(term: Held, limit: Limit) -> bool:
    if not limit.months:
        return True
    full = (add_months(term.since, limit.months) - term.since).days
    return 2 * (term.until - term.since).days > full


def add_months(day: date, months: int) -> date:
    """The same day of a later month; its last day where it is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
