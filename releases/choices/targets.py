"""What can be chosen as series: a series, an alias of one, or one exact version."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from releases.distributions import DISTRIBUTIONS, Distribution, usual_first
from releases.models import Alias, Release, Repository, Series, SigningKey
from releases.stamp import catalogue


@dataclass(frozen=True)
class Target:
    """A name below /repo/ and /yum/, what it would install, and where."""

    name: str
    kind: str  # "series", "alias" or "version"
    series: Series
    latest: Release
    repositories: list[Repository]
    is_ended: bool

    @property
    def is_withdrawn(self) -> bool:
        """An exact version stays for those who pin it."""
        return self.latest.yanked_at is not None

    @property
    def systems(self) -> list[Distribution]:
        known = list(DISTRIBUTIONS.values())
        return sorted({found.system for found in self.repositories}, key=known.index)

    def repositories_for(self, system: Distribution) -> list[Repository]:
        """One for APT; for YUM one for each processor, the usual one first."""
        found = [one for one in self.repositories if one.system == system]
        return sorted(found, key=lambda one: usual_first(one.architecture))

    @property
    def title(self) -> str:
        return f"{self.series.product.name} {self.name}"

    def rank(self) -> tuple[bool, bool, bool, bool, list[int]]:
        """What we offer first: a series that is supported, stable, long term, newest."""
        return (
            self.kind != "series",
            self.is_ended,
            not self.latest.is_stable,
            self.series.support != Series.Support.LONG,
            [-number for number in self.latest.ordering],
        )


class Live(NamedTuple):
    """Every target, and the stamp of the catalogue from before they were read."""

    stamp: str
    day: dt.date
    targets: list[Target]


_last: Live | None = None  # of this process


def live(*, at: dt.datetime) -> Live:
    """All of all products, newest first within its product. One query while nothing has changed
    since this process asked last, else two.
    """
    global _last  # noqa: PLW0603 - one tuple, replaced as a whole
    known = _last if _last is not None and _last.day == at.date() else None
    stamp, latest = _latest_unless(known.stamp if known else "", at)
    if known is not None and known.stamp == stamp:
        return known
    _last = Live(stamp, at.date(), _read(latest, at))
    return _last


def forget() -> None:
    """Read everything the next time."""
    global _last  # noqa: PLW0603 - as above
    _last = None


def live_targets(*, at: dt.datetime) -> list[Target]:
    return live(at=at).targets


def _latest_unless(known: str, at: dt.datetime) -> tuple[str, dict[int, Release]]:
    """The stamp, and the latest release of each series unless the stamp is known."""
    stamp, parameters = catalogue(at)
    latest, more = Release.objects.latest_at(at).query.sql_with_params()
    rows = Release.objects.raw(
        f"WITH here AS MATERIALIZED (SELECT {stamp} AS stamp)"  # noqa: S608 - our words alone
        f" SELECT latest.*, here.stamp FROM here LEFT JOIN ({latest}) AS latest"
        " ON here.stamp IS DISTINCT FROM %s",
        [*parameters, *more, known],
    )
    found = list(rows)
    told: str = found[0].stamp  # type: ignore[attr-defined]
    return told, {one.series_id: one for one in found if one.pk is not None}


def _read(latest: dict[int, Release], at: dt.datetime) -> list[Target]:
    aliases = Alias.objects.filter(series=OuterRef("series")).order_by("name").values("name")
    repositories = (
        Repository.objects.filled()
        .select_related("series__product", "release", "current")
        .annotate(key_states=ArraySubquery(_states()), alias_names=ArraySubquery(aliases))
        .order_by(
            "series__product__position",
            "series__product",
            "-series__ordering",
            "-release__ordering",
        )
    )
    by_name: dict[tuple[Series, Release | None], list[Repository]] = defaultdict(list)
    for found in repositories:
        if found.release is None or found.release.is_published(at):
            by_name[found.series, found.release].append(found)
    targets = [
        target
        for (series, release), held in by_name.items()
        if (shown := release or latest.get(series.pk)) is not None
        for target in _targets(series, release, shown, held, at.date())
    ]
    return [*(target for target in targets if target.kind != "alias"), *_aliases(targets)]


def _states() -> QuerySet[SigningKey, Any]:
    """Every key with its state, as short texts: what was asked of keys holds while they do."""
    number = Cast("pk", CharField())
    keys = SigningKey.objects.filter(for_files=False).order_by("pk")
    return keys.values(told=Concat(number, Value(" "), "state"))


def _targets(
    series: Series,
    release: Release | None,
    shown: Release,
    repositories: list[Repository],
    today: dt.date,
) -> Iterable[Target]:
    shown.series = series  # what the first query has read
    ended = series.is_ended(today)
    if release is not None:
        yield Target(release.version, "version", series, shown, repositories, ended)
        return
    yield Target(series.name, "series", series, shown, repositories, ended)
    for name in repositories[0].alias_names:  # type: ignore[attr-defined]
        yield Target(name, "alias", series, shown, repositories, ended)


def _aliases(found: Iterable[Target]) -> list[Target]:
    return sorted(
        (target for target in found if target.kind == "alias"), key=lambda target: target.name
    )
