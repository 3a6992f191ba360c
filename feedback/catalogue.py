"""What the release catalogue says of the series and patch releases of the main product."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings

from releases.models import Release, Series
from releases.models.series import SeriesQuerySet

NEWEST: Final = "newest patch release"
BEHIND: Final = ("1 release behind", "2 releases behind", "3 or more releases behind")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The end of each series, None where none is known, and when its releases came out."""

    ends: Mapping[str, dt.date | None] = field(default_factory=dict)
    released: Mapping[str, Sequence[tuple[dt.date, int]]] = field(default_factory=dict)

    def is_ended(self, series: str, day: dt.date) -> bool:
        end = self.ends.get(series)
        return end is not None and end <= day

    def ended(self, day: dt.date) -> frozenset[str]:
        return frozenset(series for series in self.ends if self.is_ended(series, day))

    def lag(self, series: str, patch: int, day: dt.date) -> int | None:
        """How many newer stable patch releases of its series there were; None if unknown."""
        known = self.released.get(series, ())
        out = sorted({number for _, number in known[: bisect_right(known, (day, 10**9))]})
        return len(out) - bisect_right(out, patch) if out else None


def catalogue(at: dt.datetime) -> Catalogue:
    """What is published at `at`; two queries."""
    mine = _series()
    released: dict[str, list[tuple[dt.date, int]]] = defaultdict(list)
    releases = Release.objects.current(at).stable().filter(series__in=mine)
    for series, moment, ordering in releases.values_list(
        "series__name", "published_at", "ordering"
    ):
        if moment is not None:
            released[series].append((moment.date(), ordering[2]))
    return Catalogue(
        dict(mine.values_list("name", "eol_on")),
        {series: sorted(dates) for series, dates in released.items()},
    )


def ended_series(*, at: dt.date) -> frozenset[str]:
    """Series whose support has ended; one query."""
    return frozenset(_series().ended(at).values_list("name", flat=True))


def _series() -> SeriesQuerySet:
    return Series.objects.filter(product__slug=settings.DEFAULT_PRODUCT)
