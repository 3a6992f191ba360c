"""The catalogue for programs: feeds, calendar, dates as JSON, the roadmap as a picture."""

from __future__ import annotations

import datetime as dt
import json

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib import plot
from portal.lib.feeds import FORMS
from releases import catalogue, endoflife, feeds
from releases.models import Product, Series
from releases.views.public import public_answer

JSON = "application/json; charset=utf-8"


@require_safe
def feed(request: HttpRequest, form: str, product: str = "") -> HttpResponseBase:
    """Releases and withdrawals, newest first."""
    now = timezone.now()
    found = _product(product, now)
    page = found.get_absolute_url() if found else resolve_url("releases:list")
    content_type, write = FORMS[form]
    news = feeds.feed(
        product=found,
        page=f"{settings.BASE_URL}{page}",
        address=f"{settings.BASE_URL}{request.path}",
        at=now,
    )
    return public_answer(request, write(news), content_type, modified=news.updated)


@require_safe
def calendar(request: HttpRequest, product: str = "") -> HttpResponseBase:
    """When series become stable and when they end."""
    now = timezone.now()
    body = endoflife.calendar(product=_product(product, now), at=now)
    modified = Series.objects.shown(now).order_by("-edited_at").values_list("edited_at", flat=True)
    answer = public_answer(request, body, "text/calendar; charset=utf-8", modified=modified.first())
    answer["Content-Disposition"] = f'inline; filename="{product or "support"}.ics"'
    return answer


@require_safe
def product_dates(request: HttpRequest, product: str) -> HttpResponseBase:
    """The series of a product with their dates."""
    now = timezone.now()
    found = get_object_or_404(Product.objects.shown(now), slug=product)
    cycles = endoflife.cycles(found, at=now)
    return public_answer(request, json.dumps(cycles, ensure_ascii=False, indent=1), JSON)


@require_safe
def dates(request: HttpRequest) -> HttpResponseBase:
    """The products that have such dates."""
    slugs = list(Product.objects.shown(timezone.now()).values_list("slug", flat=True))
    return public_answer(request, json.dumps(slugs), JSON)


@require_safe
def roadmap(request: HttpRequest, product: str) -> HttpResponseBase:
    """The support periods of a product as a picture for other sites."""
    now = timezone.now()
    found = get_object_or_404(Product.objects.shown(now), slug=product)
    drawn = catalogue.roadmap(catalogue.rows(at=now, product=found), at=now)
    if not drawn:
        raise Http404
    return public_answer(request, plot.standalone(drawn), "image/svg+xml")


def _product(slug: str, at: dt.datetime) -> Product | None:
    """The product, when one is named; 404 when it has nothing published."""
    return get_object_or_404(Product.objects.shown(at), slug=slug) if slug else None
