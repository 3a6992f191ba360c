"""How often the files of a product are downloaded: a page and the same numbers as CSV."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.db.models import Max, Sum
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.lib import plot, spreadsheet
from releases.models import DownloadCount, Product
from releases.models.download import DownloadCountQuerySet

DAYS: Final = 60
HEADINGS: Final = ("day", "version", "file", "system", "downloads")


@require_safe
def downloads(request: HttpRequest, product: str) -> HttpResponse:
    """By release, and by day for two months."""
    now = timezone.now()
    found = get_object_or_404(Product.objects.shown(now), slug=product)
    counts = DownloadCount.objects.of(found, now)
    first = now.date() - dt.timedelta(days=DAYS - 1)
    days = _by_day(counts.since(first), first)
    context = {
        "product": found,
        "total": counts.total(),
        "recent": sum(days.values()),
        "days": days,
        "window": DAYS,
        "chart": _chart(days, found),
        "releases": counts.values("file__release__version", "file__release__ordering")
        .annotate(total=Sum("count"), last=Max("day"))
        .order_by("-file__release__ordering"),
    }
    return render(request, "releases/downloads.html", context)


def _by_day(counts: DownloadCountQuerySet, first: dt.date) -> dict[dt.date, int]:
    known = dict(counts.values_list("day").annotate(total=Sum("count")))
    days = [first + dt.timedelta(days=number) for number in range(DAYS)]
    return {day: known.get(day, 0) for day in days}


def _chart(days: dict[dt.date, int], product: Product) -> str:
    if not any(days.values()):
        return ""
    best = max(days, key=lambda day: days[day])
    says = _("Most on %(day)s: %(count)s.") % {
        "day": formats.date_format(best, "j F Y"),
        "count": formats.number_format(days[best], force_grouping=True),
    }
    return plot.lines(
        plot.Text(_("Downloads of %(product)s a day") % {"product": product}, says),
        [formats.date_format(day, "j M") for day in days],
        [plot.Line(_("Downloads"), list(days.values()))],
        words=lambda value: formats.number_format(round(value), force_grouping=True),
        area=True,
    )


@require_safe
def downloads_csv(request: HttpRequest, product: str) -> StreamingHttpResponse:
    """Every file and day."""
    now = timezone.now()
    found = get_object_or_404(Product.objects.shown(now), slug=product)
    lines = spreadsheet.lines(_rows(DownloadCount.objects.of(found, now)))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-downloads.csv"'
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _rows(counts: DownloadCountQuerySet) -> Iterator[tuple[object, ...]]:
    yield HEADINGS
    rows = counts.order_by("day", "file__release__ordering", "file__name")
    names = ("day", "file__release__version", "file__name", "file__os", "count")
    yield from rows.values_list(*names).iterator()
