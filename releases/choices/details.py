"""What belongs to one choice: its packages, the keys to install, and mirrors. One query.

A publication never changes, so what it holds and who signs it is asked once in a process, and again
when it, or the state of any key, is another. Mirrors come and go: they are asked each time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Exists, QuerySet, Subquery, Value, When
from django.db.models.functions import JSONObject

from portal.lib.countries import COUNTRIES
from releases import keyrings
from releases.configurator import Key
from releases.distributions import DEFAULT_ARCHITECTURES, EVERY_PROCESSOR, usual_first
from releases.models import Membership, Mirror, Package, Repository, SigningKey

COUNTRY_NAMES: Final = dict(COUNTRIES)
MOST_KEPT: Final = 2_000


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
        return str(COUNTRY_NAMES.get(self.country, self.country))


@dataclass(frozen=True)
class Content:
    """Architectures that have the package, the package, keys (oldest first), whether there is a
    package that keeps the keyring new, the newest release of which packages are there, and the
    newest that the next publication brings.
    """

    architectures: list[str]
    package: str
    keys: tuple[Key, ...]
    has_keyring: bool
    installs: str
    awaited: str


@dataclass(frozen=True)
class Details(Content):
    """The same, and the mirrors of this moment."""

    mirrors: list[MirrorOption]


_kept: dict[Hashable, Content] = {}


def details_of(repository: Repository, *, key_states: tuple[str, ...], at: dt.datetime) -> Details:
    product, part = repository.series.product, "repo" if repository.system.is_deb else "yum"
    mirrors = Mirror.objects.offered(at).carrying(product, part)
    names = [field.name for field in fields(MirrorOption)]
    situation = (repository.current_id, repository.serial, product.package, key_states)
    content = _kept.get(situation)
    if content is not None:
        found = [MirrorOption(**row) for row in mirrors.values(*names)]
        return Details(**vars(content) | {"mirrors": found})
    row = _row(repository, mirrors.values(data=JSONObject(**{name: name for name in names})))
    details = _details(repository, row)
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[situation] = details
    return details


def _row(repository: Repository, mirrors: QuerySet[Any, Any]) -> Any:
    """Lists of values become arrays of the one row."""
    shown = _packages(repository)
    product = repository.series.product
    named = shown.filter(name=product.package)
    keyring = keyrings.deb_name(product.slug)
    first_name = Subquery(shown.order_by("name").values("name")[:1])
    key = JSONObject(name="name", fingerprint="fingerprint", armored="armored", binary="binary")
    rows = Repository.objects.filter(pk=repository.pk).annotate(
        found=ArraySubquery(named.values("architecture").distinct()),
        other=Case(When(Exists(named), then=Value("")), default=first_name),
        keys=ArraySubquery(SigningKey.objects.of_product(product).values(data=key)),
        has_keyring=Exists(shown.filter(name=keyring)),
        installs=_newest(shown),
        awaited=_newest(_coming(repository)),
        mirrors=ArraySubquery(mirrors),
    )
    return rows.values(
        "found", "other", "keys", "has_keyring", "installs", "awaited", "mirrors"
    ).get()


def _newest(packages: QuerySet[Package]) -> Subquery:
    """The version of the newest release among these."""
    of_releases = packages.filter(file__release__isnull=False)
    newest_first = of_releases.order_by("-file__release__ordering")
    return Subquery(newest_first.values("file__release__version")[:1])


def _coming(repository: Repository) -> QuerySet[Package]:
    """What the next publication adds."""
    serial = repository.current.serial if repository.current else 0
    members = repository.memberships.filter(since_serial__gt=serial, until_serial=None)
    return Package.objects.filter(memberships__in=members)


def _packages(repository: Repository) -> QuerySet[Package]:
    """What the current publication shows."""
    serial = repository.current.serial if repository.current else 0
    members = Membership.objects.filter(repository=repository).in_publication(serial)
    return Package.objects.filter(memberships__in=members).order_by()


def _details(repository: Repository, row: Any) -> Details:
    own = set(row["found"]) - EVERY_PROCESSOR
    return Details(
        sorted(own, key=usual_first) or list(DEFAULT_ARCHITECTURES[repository.system.format]),
        row["other"] or repository.series.product.package,
        tuple(_key(found) for found in row["keys"]),
        row["has_keyring"],
        row["installs"] or "",
        row["awaited"] or "",
        [MirrorOption(**found) for found in row["mirrors"]],
    )


def _key(found: dict[str, Any]) -> Key:
    """PostgreSQL writes bytes into JSON as \\x and hexadecimal digits."""
    binary = bytes.fromhex(found["binary"].removeprefix("\\x"))
    return Key(found["name"], found["fingerprint"], found["armored"], binary)
