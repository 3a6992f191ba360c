"""When series end, for programs and calendars."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from releases import catalogue, icalendar
from releases.models import Product, Series


def cycles(product: Product, *, at: dt.datetime) -> list[dict[str, Any]]:
    """The series of a product, newest first, in the words of the first endoflife.date API."""
    return [_cycle(row, at) for row in catalogue.rows(at=at, product=product)]


def _cycle(row: catalogue.Row, at: dt.datetime) -> dict[str, Any]:
    series, latest = row.series, row.latest
    published = latest.published_at.date().isoformat() if latest.published_at else None
    return {
        "cycle": series.name,
        "releaseDate": series.released_on.isoformat() if series.released_on else None,
        "eol": series.eol_on.isoformat() if series.eol_on else False,
        "isEol": row.is_ended,
        "latest": None if row.is_yanked else latest.version,
        "latestReleaseDate": None if row.is_yanked else published,
        "maturity": latest.maturity,
        "support": series.support,
        "lts": series.support == Series.Support.LONG,
        "link": f"{settings.BASE_URL}{series.get_absolute_url()}",
    }


def calendar(*, product: Product | None, at: dt.datetime) -> bytes:
    """The first stable day and the end of support of every series that is shown."""
    shown = Series.objects.shown(at).select_related("product").newest_first()
    if product is not None:
        shown = shown.filter(product=product)
    days = [day for series in shown for day in _days(series)]
    name = _("Support of %(name)s") % {"name": product or settings.FOUNDATION_NAME}
    return icalendar.calendar(name, settings.FOUNDATION_NAME, days)


def _days(series: Series) -> list[icalendar.Day]:
    found = []
    if series.eol_on:
        words = _("%(series)s gets no more fixes from this day on, not even for security.")
        title = _("%(series)s: end of support")
        found.append(_day("eol", series, series.eol_on, title, words))
    if series.released_on:
        words = _("%(series)s is ready for production. Support: %(support)s.")
        title = _("%(series)s: first stable release")
        found.append(_day("stable", series, series.released_on, title, words))
    return found


def _day(kind: str, series: Series, date: dt.date, title: str, words: str) -> icalendar.Day:
    host = urlsplit(settings.BASE_URL).hostname
    names = {"series": series, "support": series.get_support_display()}
    return icalendar.Day(
        uid=f"{kind}-{series.product.slug}-{series.name}@{host}",
        date=date,
        summary=title % names,
        description=words % names,
        url=f"{settings.BASE_URL}{series.get_absolute_url()}",
        revised=series.edited_at,
    )
