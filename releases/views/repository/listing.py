"""Every repository that a person manages: filtered, sorted, and as CSV."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F, Q
from django.db.models.expressions import OrderBy
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.lib import spreadsheet
from releases.distributions import DISTRIBUTIONS
from releases.models import Product, Publication, Repository
from releases.models.reading import failing
from releases.models.repository import RepositoryQuerySet
from releases.views.managed import manager_of

PAGE: Final = 50
Filter = Callable[[RepositoryQuerySet, dt.datetime], RepositoryQuerySet]
STATES: Final[dict[str, tuple[Promise, Filter]]] = {
    "failed": (_("Last publication failed"), lambda found, at: found.filter(_newest("failed"))),
    "unreadable": (_("Clients cannot use it"), lambda found, at: failing(found)),
    "waiting": (
        _("Publication under way"),
        lambda found, at: found.filter(_newest(*Publication.UNFINISHED)),
    ),
    "unpublished": (_("Not published yet"), lambda found, at: found.filter(current=None)),
    "expired": (
        _("No longer valid"),
        lambda found, at: found.filter(current__valid_until__lte=at),
    ),
}
KINDS: Final[dict[str, tuple[Promise, Filter]]] = {
    "series": (_("Of a series"), lambda found, at: found.of_series()),
    "version": (_("Of one exact version"), lambda found, at: found.of_releases()),
}
SORTS: Final[dict[str, tuple[Promise, tuple[str | OrderBy, ...]]]] = {
    "name": (
        _("Product and series"),
        ("series__product__position", "series__product__name", "-series__ordering", "release"),
    ),
    "newest": (_("Newest published"), (F("current__switched_at").desc(nulls_last=True),)),
    "oldest": (_("Longest not published"), (F("current__switched_at").asc(nulls_first=True),)),
    "packages": (_("Most packages"), (F("current__packages").desc(nulls_last=True),)),
}
HEADINGS: Final = (
    *("product", "series", "version", "distribution", "architecture", "serial", "packages"),
    *("published", "valid_until", "last_serial", "last_state", "last_reason"),
)


def _newest_of(repository: Repository) -> tuple[str, str]:
    """State of the last publication, and why it failed: annotated by `with_newest()`."""
    return repository.newest_state, repository.newest_reason  # type: ignore[attr-defined]


def _newest(*states: str) -> Q:
    return Q(newest_state__in=states)


@require_safe
@login_required
def repository_table(request: HttpRequest) -> HttpResponse:
    user, now = manager_of(request), timezone.now()
    page = Paginator(_asked(request, user, now), PAGE).get_page(request.GET.get("page"))
    used = _managed(user, now).order_by().values_list("distribution", flat=True).distinct()
    context = {
        "page": page,
        "query": request.GET,
        "now": now,
        "products": Product.objects.managed_by(user, now),
        "distributions": [DISTRIBUTIONS[slug] for slug in DISTRIBUTIONS if slug in set(used)],
        "states": [(name, words) for name, (words, _filter) in STATES.items()],
        "kinds": [(name, words) for name, (words, _filter) in KINDS.items()],
        "sorts": [(name, words) for name, (words, _fields) in SORTS.items()],
        "csv_query": request.GET.urlencode(),
        "waits": any(_newest_of(one)[0] in Publication.UNFINISHED for one in page),
    }
    return render(request, "releases/repository/list.html", context)


@require_safe
@login_required
def repository_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The same rows, all of them."""
    found = _asked(request, manager_of(request), timezone.now())
    response = StreamingHttpResponse(
        spreadsheet.lines(_rows(found)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="repositories.csv"'
    return response


def _managed(user: User, at: dt.datetime) -> RepositoryQuerySet:
    return Repository.objects.filter(series__product__in=Product.objects.managed_by(user, at))


def _asked(request: HttpRequest, user: User, at: dt.datetime) -> RepositoryQuerySet:
    """What the query asks for; a word that is not offered filters nothing."""
    query = request.GET
    found = _managed(user, at).with_names().with_newest()
    if text := query.get("q", "").strip().replace("\0", "")[:60]:
        found = found.filter(
            Q(series__name__icontains=text) & Q(release=None) | Q(release__version__icontains=text)
        )
    if query.get("product"):
        found = found.filter(series__product__slug=query["product"].replace("\0", "")[:60])
    if query.get("distribution") in DISTRIBUTIONS:
        found = found.filter(distribution=query["distribution"])
    for name, offered in [("state", STATES), ("kind", KINDS)]:
        if query.get(name) in offered:
            found = offered[query[name]][1](found, at)
    order = SORTS.get(query.get("sort", ""), SORTS["name"])[1]
    return found.order_by(*order, "distribution", "architecture", "pk")


def _rows(found: RepositoryQuerySet) -> Iterator[tuple[object, ...]]:
    yield HEADINGS
    for one in found.iterator():
        current = one.current
        moments = (current.switched_at, current.valid_until) if current else (None, None)
        yield (
            one.series.product.slug,
            one.series.name,
            one.release.version if one.release else "",
            one.distribution,
            one.architecture,
            current.serial if current else None,
            current.packages if current else None,
            *(moment.isoformat(timespec="seconds") if moment else "" for moment in moments),
            one.serial,
            *_newest_of(one),
        )
