"""The CSAF documents as a ROLIE feed, for programs that follow changes."""

from __future__ import annotations

from django.db.models import Max
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from releases.advisories import rolie
from releases.advisories.facts import stamp
from releases.advisory import publisher
from releases.models import Advisory, Product
from releases.views.advisory.csaf import BEGINNING
from releases.views.advisory.published import JSON, as_json
from releases.views.public import public_answer


@require_safe
def rolie_feed(request: HttpRequest) -> HttpResponseBase:
    """Every document, newest change first."""
    now = timezone.now()
    public = Advisory.objects.published(now)
    unsigned = set(public.unsigned(now).values_list("pk", flat=True))
    changed = dict(public.values_list("pk", Max("revisions__at")))
    found = public.select_related("product")
    entries = [
        rolie.Entry(
            advisory.identifier,
            advisory.product.name,
            advisory.summary,
            advisory.published_at or now,
            changed[advisory.pk],
            advisory.pk not in unsigned,
        )
        for advisory in sorted(found, key=lambda one: (changed[one.pk], one.pk), reverse=True)
    ]
    updated = stamp(entries[0].updated if entries else BEGINNING)
    return public_answer(request, as_json(rolie.feed(entries, publisher(), updated)), JSON)


@require_safe
def rolie_service(request: HttpRequest) -> HttpResponseBase:
    return public_answer(request, as_json(rolie.service(publisher())), JSON)


@require_safe
def rolie_categories(request: HttpRequest) -> HttpResponseBase:
    """The products that have a public advisory."""
    public = Advisory.objects.published(timezone.now())
    products = Product.objects.filter(pk__in=public.values("product")).order_by("name")
    names = products.values_list("name", flat=True)
    return public_answer(request, as_json(rolie.categories(names)), JSON)
