"""Everything that is published at once, in the tables of the set-up script."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Iterable

from django.conf import settings
from django.db.models import F

from releases.actions.keyring import keyring_of
from releases.choices.targets import Target, live_targets
from releases.distributions import DEFAULT_ARCHITECTURES, EVERY_PROCESSOR, usual_first
from releases.models import Membership, Product, Repository, SigningKey
from releases.repo_setup import KeyringRow, NameRow, PlaceRow, ProductRow, Tables


def tables(*, at: dt.datetime) -> Tables:
    """Two queries for the keys of each product, and three for all the rest."""
    targets = live_targets(at=at)
    repositories = {found.pk: found for target in targets for found in target.repositories}
    processors = _processors(repositories.values())
    products = dict.fromkeys(target.series.product for target in targets)
    return Tables(
        site=settings.BASE_URL,
        default_product=settings.DEFAULT_PRODUCT,
        products=tuple(_products(targets)),
        names=tuple(_name(target) for target in targets),
        places=tuple(place for target in targets for place in _places(target, processors)),
        keyrings=tuple(_keyring(product) for product in products),
    )


def _products(targets: Iterable[Target]) -> Iterable[ProductRow]:
    best: dict[int, Target] = {}
    for target in sorted(targets, key=lambda found: found.rank()):
        best.setdefault(target.series.product_id, target)
    for target in best.values():
        product = target.series.product
        yield ProductRow(product.slug, target.name, product.package, product.name)


def _name(target: Target) -> NameRow:
    return NameRow(
        target.series.product.slug,
        target.name,
        target.kind,
        "withdrawn" if target.is_withdrawn else target.latest.maturity,
        target.series.eol_on,
    )


def _places(target: Target, processors: dict[int, set[str]]) -> Iterable[PlaceRow]:
    for system in target.systems:
        found = target.repositories_for(system)
        own = {name for one in found for name in processors[one.pk]}
        yield PlaceRow(
            target.series.product.slug,
            target.name,
            system.slug,
            tuple(sorted(own, key=usual_first)),
        )


def _processors(repositories: Iterable[Repository]) -> dict[int, set[str]]:
    """By repository: the processors that it has the product's package for."""
    found: dict[int, set[str]] = defaultdict(set)
    packages = (
        Membership.objects.filter(
            repository__in=[one for one in repositories if one.system.is_deb],
            package__name=F("repository__series__product__package"),
            since_serial__lte=F("repository__current__serial"),
        )
        .exclude(until_serial__lte=F("repository__current__serial"))
        .values_list("repository_id", "package__architecture")
        .distinct()
    )
    for pk, architecture in packages:
        found[pk].add(architecture)
    return {one.pk: _usable(one, found[one.pk]) for one in repositories}


def _usable(repository: Repository, found: set[str]) -> set[str]:
    if repository.architecture:
        return {repository.architecture}
    return found - EVERY_PROCESSOR or set(DEFAULT_ARCHITECTURES["deb"])


def _keyring(product: Product) -> KeyringRow:
    held = keyring_of(product)
    return KeyringRow(
        product.slug,
        hashlib.sha256(held.as_text()).hexdigest(),
        hashlib.sha256(held.as_binary()).hexdigest(),
        tuple(key.fingerprint for key in SigningKey.objects.of_product(product)),
    )
