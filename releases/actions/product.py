"""Adding and editing a product, and the series of it."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.errors import RefusedError
from releases.models import Product, Release, Series

RESERVED: Final = frozenset(
    {
        "advisories",
        "all",
        "decisions",
        "keys",
        "manage",
        "mirrors",
        "new",
        "products",
        "repositories",
    }
)
PRODUCT: Final = (
    "name",
    "kind",
    "description",
    "license",
    "scale",
    "package",
    "issues_url",
    "announced",
    "position",
)
SERIES: Final = ("support", "released_on", "eol_on")


@transaction.atomic
def add_product(
    *,
    actor: User | None,
    slug: str,
    name: str,
    description: str,
    license: str,  # noqa: A002  (the word of the field)
    kind: str = Product.Kind.SERVER,
    scale: str = "server",
    package: str = "",
    issues_url: str = "",
    position: int = 100,
) -> Product:
    product = Product(
        slug=slug,
        name=name,
        description=description,
        license=license,
        kind=kind,
        scale=scale,
        package=package,
        issues_url=issues_url,
        position=position,
    )
    _check_names(product)
    product.save()
    audit.record(actor=actor, verb="product.add", subject=product)
    return product


@transaction.atomic
def add_series(
    *,
    actor: User | None,
    product: Product,
    name: str,
    support: str,
    released_on: dt.date | None = None,
    eol_on: dt.date | None = None,
) -> Series:
    series = Series(
        product=product, name=name, support=support, released_on=released_on, eol_on=eol_on
    )
    _refuse_taken(series)
    series.save()
    audit.record(
        actor=actor,
        verb="series.add",
        subject=series,
        support=support,
        released_on=released_on,
        eol_on=eol_on,
    )
    return series


@transaction.atomic
def save_product(*, actor: User, product: Product) -> Product:
    """Keep a product that a form filled in; the audit row says what it was before."""
    if product.slug in RESERVED:
        raise RefusedError(_("This address is taken by a page. Choose another."))
    _check_names(product)
    known = Product.objects.select_for_update().filter(pk=product.pk).first()
    product.save()
    verb = "product.add" if known is None else "product.edit"
    audit.record(actor=actor, verb=verb, subject=product, **_changes(known, product, PRODUCT))
    return product


@transaction.atomic
def save_series(*, actor: User, series: Series) -> Series:
    """Keep a series that a form filled in. A new end of support is a promise to everybody: the
    audit row has both dates.
    """
    known = Series.objects.select_for_update().filter(pk=series.pk).first()
    if known is None:
        _refuse_taken(series)
    elif known.has_dates and not series.has_dates and _has_stable(series):
        raise RefusedError(_("A stable release is out: its dates may move, not go away."))
    try:
        series.save()
    except ValueError as error:
        raise RefusedError(str(error)) from None
    verb = "series.add" if known is None else "series.edit"
    audit.record(actor=actor, verb=verb, subject=series, **_changes(known, series, SERIES))
    return series


def _check_names(product: Product) -> None:
    try:
        product.clean()
    except ValidationError as error:
        raise RefusedError(" ".join(error.messages)) from None


def _refuse_taken(series: Series) -> None:
    """/repo/<name>/ shows one thing: the series, or the release of exactly that version."""
    taken = Release.objects.filter(series__product=series.product_id, version=series.name)
    if taken.exists():
        raise RefusedError(_("A release has this name as its version. Choose another name."))


def _has_stable(series: Series) -> bool:
    return series.releases.stable().filter(published_at__isnull=False).exists()


def _changes(before: Model | None, after: Model, names: tuple[str, ...]) -> dict[str, Any]:
    """What changed, old and new; of a new row everything."""
    found = {}
    for name in names:
        old, new = getattr(before, name, None), getattr(after, name)
        if old != new:
            found[name] = [_plain(old), _plain(new)]
    return found


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, dt.date) else value
