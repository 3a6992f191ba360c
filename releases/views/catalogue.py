"""The public catalogue: all products, one product, one release."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib import kept
from portal.lib.etag import etag_of
from releases import catalogue, verify
from releases.advisory import concerning
from releases.file_list import FileList, file_list
from releases.models import File, Product, Release, Repository, Series, SigningKey
from releases.stamp import with_files
from releases.views.download import CHECKSUMS
from releases.views.moment import asked


@require_safe
def release_list(request: HttpRequest) -> HttpResponse:
    """Every product with its supported series, and the roadmap of the default product."""
    moment = asked(request)
    rows = catalogue.rows(at=moment.at)
    supported = [row for row in rows if not row.is_ended]
    groups = [
        (product, list(found)) for product, found in groupby(supported, lambda r: r.series.product)
    ]
    first = [row for row in rows if groups and row.series.product == groups[0][0]]
    newest = catalogue.latest_releases(at=moment.at, limit=1)
    context = {
        "moment": moment,
        "groups": groups,
        "ended": [row for row in rows if row.is_ended],
        "supported": supported,
        "long_term": [row for row in supported if row.series.support == "long"],
        "newest": newest[0] if newest else None,
        "roadmap": catalogue.roadmap([row for row in first if not row.is_ended], at=moment.at),
        "roadmap_rows": [row for row in first if not row.is_ended],
        "live": _live_series(),
    }
    return render(request, "releases/list.html", context, status=moment.status)


def _live_series() -> set[int]:
    return set(Repository.objects.filled().values_list("series_id", flat=True))


@require_safe
def product_detail(request: HttpRequest, product: str) -> HttpResponse:
    """One product: its series and every release of each."""
    moment = asked(request)
    found = get_object_or_404(Product.objects.shown(timezone.now()), slug=product)
    rows = catalogue.rows(at=moment.at, product=found)
    releases = Release.objects.published(moment.at).filter(series__product=found).with_names()
    context = {
        "moment": moment,
        "product": found,
        "rows": rows,
        "supported": [row for row in rows if not row.is_ended],
        "roadmap": catalogue.roadmap(rows, at=moment.at),
        "releases": releases.newest_first(),
        "live": _live_series(),
    }
    return render(request, "releases/product.html", context, status=moment.status)


@require_safe
def series_detail(request: HttpRequest, product: str, name: str) -> HttpResponse:
    """One series: how long it is supported, what to take, every release."""
    moment = asked(request)
    shown = Series.objects.shown(timezone.now()).select_related("product")
    series = get_object_or_404(shown, product__slug=product, name=name)
    rows = catalogue.rows(at=moment.at, product=series.product)
    releases = Release.objects.published(moment.at).filter(series=series).with_names()
    context = {
        "moment": moment,
        "series": series,
        "product": series.product,
        "row": next((row for row in rows if row.series == series), None),
        "recommended": next((row.latest for row in rows if row.is_recommended), None),
        "is_ended": series.is_ended(moment.day),
        "releases": releases.newest_first(),
        "is_live": series.pk in _live_series(),
    }
    return render(request, "releases/series.html", context, status=moment.status)


@require_safe
def release_detail(request: HttpRequest, product: str, version: str) -> HttpResponseBase:
    """The record of a release: what to know first, files, how to verify, what is new."""
    now = timezone.now()

    def write() -> HttpResponse:
        return _release_page(request, product, version, now)

    if kept.knows_visitor(request):
        return kept.unless_known(request, write())
    key = kept.page_key(request, "release", now.date())
    stamp = with_files(product, version, at=now)
    return kept.answer(request, key=key, stamp=stamp, write=write)


def _release_page(
    request: HttpRequest, product: str, version: str, at: dt.datetime
) -> HttpResponse:
    published = (
        Release.objects.published(at)
        .with_names()
        .select_related("published_by", "use_instead__series__product")
    )
    release = get_object_or_404(published, series__product__slug=product, version=version)
    files = file_list(File.objects.downloadable().filter(release=release), request.GET.dict())
    response = render(request, "releases/release.html", release_context(release, files, at=at))
    response["ETag"] = etag_of(response.content)
    response["Cache-Control"] = "private, no-cache"
    return response


def release_context(release: Release, files: FileList, *, at: dt.datetime) -> dict[str, Any]:
    """What the page of a release shows, also before it is published."""
    best = catalogue.recommended(
        Release.objects.latest_at(at).with_names().filter(series__product=release.series.product),
        at=at,
    )
    keys = SigningKey.objects.of_files()
    affecting, fixing = concerning(release, at=at)
    return {
        "release": release,
        "affecting": affecting,
        "fixing": fixing,
        "series": release.series,
        "files": files,
        "verify": _verify(release, files.signed.name, keys) if files.signed else "",
        "is_ended": release.series.is_ended(at.date()),
        "recommended": best.get(release.series.product_id),
        "installable": catalogue.installable(release),
        "keys": keys,
        "algorithms": CHECKSUMS,
        "today": at.date(),
        "is_yanked": release.is_yanked(at),
    }


def _verify(release: Release, file: str, keys: Iterable[SigningKey]) -> str:
    """The commands that check this file."""
    return verify.commands(
        release=f"{settings.BASE_URL}{release.get_absolute_url()}",
        file=file,
        keys=[
            f"{settings.BASE_URL}{reverse('releases:key', args=[key.name, 'asc'])}" for key in keys
        ],
    )
