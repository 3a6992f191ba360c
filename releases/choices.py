"""What the configuration generator offers: combinations that are truly published, nothing else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings
from django.db.models import QuerySet

from releases import serving
from releases.configurator import Choice
from releases.distributions import (
    DEFAULT_ARCHITECTURES,
    DISTRIBUTIONS,
    EVERY_PROCESSOR,
    Distribution,
)
from releases.models import Membership, Package, Product, Release, Repository, Series

T = TypeVar("T")


@dataclass(frozen=True)
class Offer:
    """A live repository, for one architecture."""

    repository: Repository
    architecture: str

    @property
    def series(self) -> Series:
        return self.repository.series

    @property
    def system(self) -> Distribution:
        return self.repository.system


@dataclass(frozen=True)
class SeriesOption:
    """A series that is offered, and what it would install."""

    series: Series
    latest: Release
    is_ended: bool


@dataclass(frozen=True)
class Chosen:
    """The offer that fits the query, and what it was chosen from."""

    offer: Offer
    product: Product
    products: list[Product]
    series: list[SeriesOption]
    systems: list[Distribution]
    architectures: list[str]
    latest: Release
    package: str


def choose(query: Mapping[str, str], *, at: dt.datetime) -> Chosen | None:
    """The first offer that fits each wish as far as it can be met; None when nothing is there.

    A wish that names nothing of ours is as good as none: it is compared, never used.
    """
    live = list(
        Repository.objects.live()
        .filter(series__releases__in=Release.objects.current(at))
        .select_related("series__product", "current__key")
        .distinct()
        .order_by("series__product__position", "-series__ordering", "distribution")
    )
    if not live:
        return None
    products = list(dict.fromkeys(found.series.product for found in live))
    product = _wished(products, query.get("product"), lambda found: found.slug)
    live = [found for found in live if found.series.product == product]
    latest = {found.series_id: found for found in Release.objects.latest_at(at).with_names()}
    series = list(dict.fromkeys(found.series for found in live))
    preferred = sorted(series, key=lambda found: _rank(found, latest[found.pk], at))
    chosen = _wished(preferred, query.get("series"), lambda found: found.name)
    live = [found for found in live if found.series == chosen]
    known = list(DISTRIBUTIONS)
    live.sort(key=lambda found: known.index(found.distribution))
    systems = list(dict.fromkeys(found.system for found in live))
    system = _wished(
        [found for found in systems if found.slug == "debian-12"] + systems,
        query.get("distribution"),
        lambda found: found.slug,
    )
    offers = [
        Offer(found, architecture)
        for found in live
        if found.system == system
        for architecture in architectures_of(found)
    ]
    offer = _wished(offers, query.get("arch"), lambda found: found.architecture)
    return Chosen(
        offer=offer,
        product=product,
        products=products,
        series=[
            SeriesOption(found, latest[found.pk], found.is_ended(at.date())) for found in series
        ],
        systems=systems,
        architectures=[found.architecture for found in offers],
        latest=latest[chosen.pk],
        package=_package(offer),
    )


def _wished(offered: Sequence[T], wish: str | None, name: Callable[[T], str]) -> T:
    return next((found for found in offered if name(found) == wish), offered[0])


def _rank(series: Series, latest: Release, at: dt.datetime) -> tuple[bool, bool, bool, list[int]]:
    """What we offer first: supported, stable, long term, newest."""
    return (
        series.is_ended(at.date()),
        not latest.is_stable,
        series.support != Series.Support.LONG,
        [-number for number in series.ordering],
    )


def architectures_of(repository: Repository) -> list[str]:
    """For which processors the repository has something."""
    if repository.architecture:
        return [repository.architecture]
    found = set(_packages(repository).values_list("architecture", flat=True)) - EVERY_PROCESSOR
    return sorted(found) or list(DEFAULT_ARCHITECTURES["deb"])


def _packages(repository: Repository) -> QuerySet[Package]:
    serial = repository.current.serial if repository.current else 0
    members = Membership.objects.filter(repository=repository).in_publication(serial)
    return Package.objects.filter(memberships__in=members)


def _package(offer: Offer) -> str:
    """The package to install: what the product names if it is there, else the first one."""
    names = sorted(set(_packages(offer.repository).values_list("name", flat=True)))
    wanted = offer.series.product.package.lower()
    return next((name for name in names if name.lower() == wanted), names[0] if names else "")


def configuration(chosen: Chosen, *, at: dt.datetime) -> Choice:
    """The choice in the words of the pure configurator."""
    offer = chosen.offer
    system, series, current = offer.system, offer.series, offer.repository.current
    area = "repo" if system.is_deb else "yum"
    key_name = current.key.name if current and current.key else ""
    return Choice(
        product=series.product.slug,
        title=str(series),
        series=series.name,
        system=system.name,
        tool=system.tool,
        codename=system.codename,
        architecture=offer.architecture,
        address=f"{settings.BASE_URL}/{area}/{serving.root(offer.repository)}",
        key_address=f"{settings.BASE_URL}/keys/{key_name}",
        key_name=key_name,
        package=chosen.package,
        generated_on=at.date(),
        red_hat=system.family == "rhel",
    )
