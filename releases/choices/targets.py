"""What can be chosen as series: a series, an alias of one, or one exact version."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from releases.distributions import DISTRIBUTIONS, Distribution, usual_first
from releases.models import Alias, Release, Repository, Series, SigningKey


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


def live_targets(*, at: dt.datetime) -> list[Target]:
    """All of all products, newest first within its product. Two queries."""
    latest = {found.series_id: found for found in Release.objects.latest_at(at)}
    aliases = Alias.objects.filter(series=OuterRef("series")).order_by("name").values("name")
    live = (
        Repository.objects.live()
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
    for found in live:
        if found.release is None or found.release.is_published(at):
            by_name[found.series, found.release].append(found)
    targets = [
        target
        for (series, release), repositories in by_name.items()
        if (shown := release or latest.get(series.pk)) is not None
        for target in _targets(series, release, shown, repositories, at.date())
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
