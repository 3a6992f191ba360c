"""Adding a product, and a series to it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from releases.models import Product, Series


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
    product = Product.objects.create(
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
    series = Series.objects.create(
        product=product, name=name, support=support, released_on=released_on, eol_on=eol_on
    )
    audit.record(
        actor=actor,
        verb="series.add",
        subject=series,
        support=support,
        released_on=released_on,
        eol_on=eol_on,
    )
    return series
