"""Every release that a person manages: searched, filtered, sorted, and as CSV."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.lib import spreadsheet
from releases.maturity import Maturity
from releases.models import Product, Release
from releases.models.release import ReleaseQuerySet
from releases.views.managed import manager_of

PAGE: Final = 50
Filter = Callable[[ReleaseQuerySet, dt.datetime], ReleaseQuerySet]
STATES: Final[dict[str, tuple[Promise, Filter]]] = {
    "draft": (_("Draft"), lambda found, at: found.drafts(at).filter(scheduled_for=None)),
    "scheduled": (_("Scheduled"), lambda found, at: found.exclude(scheduled_for=None)),
    "published": (_("Published"), lambda found, at: found.current(at)),
    "withdrawn": (_("Withdrawn"), lambda found, at: found.yanked(at)),
}
SORTS: Final[dict[str, tuple[Promise, tuple[str, ...]]]] = {
    "made": (_("Newest made"), ("-created_at",)),
    "published": (_("Newest published"), ("-published_at", "-created_at")),
    "version": (_("Version"), ("series__product__name", "-ordering")),
}
HEADINGS: Final = (
    "product",
    "version",
    "maturity",
    "made",
    "scheduled",
    "published",
    "withdrawn",
    "files",
)


@require_safe
@login_required
def release_table(request: HttpRequest) -> HttpResponse:
    user = manager_of(request)
    page = Paginator(_asked(request, user), PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "query": request.GET,
        "products": Product.objects.managed_by(user, timezone.now()),
        "maturities": Maturity.choices,
        "states": [(name, words) for name, (words, _filter) in STATES.items()],
        "sorts": [(name, words) for name, (words, _fields) in SORTS.items()],
        "csv_query": request.GET.urlencode(),
    }
    return render(request, "releases/manage_list.html", context)


@require_safe
@login_required
def release_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The same rows, all of them."""
    lines = spreadsheet.lines(_rows(_asked(request, manager_of(request))))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="releases.csv"'
    return response


def _asked(request: HttpRequest, user: User) -> ReleaseQuerySet:
    """What the query asks for; a word that is not offered filters nothing."""
    now, query = timezone.now(), request.GET
    managed = Product.objects.managed_by(user, now)
    found = Release.objects.filter(series__product__in=managed).with_names()
    if text := query.get("q", "").strip()[:60]:
        found = found.filter(version__icontains=text)
    if query.get("product"):
        found = found.filter(series__product__slug=query["product"][:60])
    if query.get("maturity") in Maturity.values:
        found = found.filter(maturity=query["maturity"])
    if query.get("state") in STATES:
        found = STATES[query["state"]][1](found, now)
    order = SORTS.get(query.get("sort", ""), SORTS["made"])[1]
    return found.annotate(file_count=Count("files")).order_by(*order, "pk")


def _rows(found: ReleaseQuerySet) -> Iterator[tuple[object, ...]]:
    yield HEADINGS
    for release in found.iterator():
        moments = (
            release.created_at,
            release.scheduled_for,
            release.published_at,
            release.yanked_at,
        )
        yield (
            release.series.product.slug,
            release.version,
            release.maturity,
            *(moment.isoformat(timespec="seconds") if moment else "" for moment in moments),
            release.file_count,  # type: ignore[attr-defined]
        )
