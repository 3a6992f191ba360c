"""What belongs to one choice: its packages, the keys to install, and mirrors. One query."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, fields
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Exists, QuerySet, Subquery, Value, When
from django.db.models.functions import JSONObject

from portal.lib.countries import COUNTRIES
from releases.configurator import Key
from releases.distributions import DEFAULT_ARCHITECTURES, EVERY_PROCESSOR, usual_first
from releases.models import Membership, Mirror, Package, Repository, SigningKey


@dataclass(frozen=True)
class MirrorOption:
    """A mirror that is healthy now."""

    slug: str
    name: str
    operator: str
    country: str
    base_url: str

    @property
    def country_name(self) -> str:
        return str(dict(COUNTRIES).get(self.country, self.country))


@dataclass(frozen=True)
class Details:
    """Architectures that have the package, the package, keys (oldest first), mirrors."""

    architectures: list[str]
    package: str
    keys: tuple[Key, ...]
    mirrors: list[MirrorOption]


def details_of(repository: Repository, *, at: dt.datetime) -> Details:
    """Asked in one query: lists of values become arrays of the one row."""
    product, part = repository.series.product, "repo" if repository.system.is_deb else "yum"
    shown = _packages(repository)
    named = shown.filter(name=product.package)
    mirrors = Mirror.objects.offered(at).carrying(product, part)
    first_name = Subquery(shown.order_by("name").values("name")[:1])
    row = (
        Repository.objects.filter(pk=repository.pk)
        .annotate(
            found=ArraySubquery(named.values("architecture").distinct()),
            other=Case(When(Exists(named), then=Value("")), default=first_name),
            keys=ArraySubquery(SigningKey.objects.of(repository).values(data=_key_fields())),
            mirrors=ArraySubquery(mirrors.values(data=_mirror_fields())),
        )
        .values("found", "other", "keys", "mirrors")
        .get()
    )
    own = set(row["found"]) - EVERY_PROCESSOR
    return Details(
        sorted(own, key=usual_first) or list(DEFAULT_ARCHITECTURES[repository.system.format]),
        row["other"] or product.package,
        tuple(_key(found) for found in row["keys"]),
        [MirrorOption(**found) for found in row["mirrors"]],
    )


def _packages(repository: Repository) -> QuerySet[Package]:
    """What the current publication shows."""
    serial = repository.current.serial if repository.current else 0
    members = Membership.objects.filter(repository=repository).in_publication(serial)
    return Package.objects.filter(memberships__in=members).order_by()


def _key_fields() -> JSONObject:
    return JSONObject(name="name", fingerprint="fingerprint", armored="armored", binary="binary")


def _mirror_fields() -> JSONObject:
    return JSONObject(**{field.name: field.name for field in fields(MirrorOption)})


def _key(found: dict[str, Any]) -> Key:
    """PostgreSQL writes bytes into JSON as \\x and hexadecimal digits."""
    binary = bytes.fromhex(found.pop("binary").removeprefix("\\x"))
    return Key(**found, binary=binary)
