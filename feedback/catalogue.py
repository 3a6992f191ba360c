"""What the release catalogue says of the series and patch releases of the main product."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.db.models import FilteredRelation, Max, Q

from feedback.labels import numbers_of
from releases.maturity import Maturity
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
    """What is published at `at`; one query."""
    ends: dict[str, dt.date | None] = {}
    released: dict[str, list[tuple[dt.date, int]]] = defaultdict(list)
    rows = _series().annotate(out=FilteredRelation("releases", condition=_offered(at)))
    for series, end, moment, ordering in rows.values_list(
        "name", "eol_on", "out__published_at", "out__ordering"
    ):
        ends[series] = end
        if moment is not None:
            released[series].append((moment.date(), ordering[2]))
    return Catalogue(ends, {series: sorted(dates) for series, dates in released.items()})


def _offered(at: dt.datetime) -> Q:
    """Of the releases of a series: the stable ones that are published and not withdrawn."""
    stable = Q(releases__maturity__in=[Maturity.STABLE, Maturity.OLD_STABLE])
    withdrawn = Q(releases__yanked_at__isnull=False, releases__yanked_at__lte=at)
    return stable & Q(releases__published_at__lte=at) & ~withdrawn


@dataclass(frozen=True, slots=True)
class Released:
    """The newest patch release of each series that ever came out, withdrawn ones included."""

    newest: Mapping[str, int] = field(default_factory=dict)

    def has(self, series: str, version: str) -> bool:
        """False for what is not out yet: a later patch, or a series after the last one.

        A catalogue begins somewhere, so what is older than all of it may well be.

        >>> out = Released({"11.4": 5, "11.8": 2})
        >>> [out.has(v.rpartition(".")[0], v) for v in ("11.8.2", "11.8.3", "10.5.9", "12.0.1")]
        [True, False, True, False]
        """
        if not self.newest:
            return True
        if series in self.newest:
            return numbers_of(version)[2] <= self.newest[series]
        return numbers_of(series) < max(numbers_of(known) for known in self.newest)


def released(at: dt.datetime) -> Released:
    """What has come out by `at`; one query."""
    newest = Release.objects.published(at).filter(series__in=_series()).order_by()
    found = newest.values_list("series__name").annotate(Max("ordering"))
    return Released({series: ordering[2] for series, ordering in found})


def series_ends() -> Mapping[str, dt.date | None]:
    """When the support of each series ends, None where that is not known; one query."""
    return dict(_series().values_list("name", "eol_on"))


def _series() -> SeriesQuerySet:
    return Series.objects.filter(product__slug=settings.DEFAULT_PRODUCT)
