"""The list of advisories and the page of each; withdrawn ones stay, marked so."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.accounts.access import signed_in
from releases.advisories import csaf
from releases.advisory import facts_of, publisher
from releases.models import Advisory, Product
from releases.models.advisory import AdvisoryQuerySet

PAGE_SIZE = 25


@require_safe
def advisory_list(request: HttpRequest) -> HttpResponse:
    """Every public advisory, newest first, by product, severity and words."""
    now = timezone.now()
    public = Advisory.objects.published(now)
    found = _chosen(request, public).with_ranges().order_by("-published_at", "-pk")
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    context = {
        "page": page,
        "listed": list(zip(shown, facts_of(shown, at=now), strict=True)),
        "products": Product.objects.filter(advisories__in=public).distinct(),
        "severities": Advisory.Severity.choices,
        "product": request.GET.get("product", ""),
        "severity": request.GET.get("severity", ""),
        "words": request.GET.get("q", ""),
        "is_filtered": any(request.GET.get(name) for name in ("product", "severity", "q")),
        "exists": public.exists(),
    }
    return render(request, "releases/advisory_list.html", context)


def _chosen(request: HttpRequest, advisories: AdvisoryQuerySet) -> AdvisoryQuerySet:
    """What the filters leave; a value that nobody offers leaves nothing."""
    found = advisories
    if product := request.GET.get("product"):
        found = found.filter(product__slug=product)
    if severity := request.GET.get("severity"):
        found = found.filter(severity=severity)
    if words := request.GET.get("q", "").strip()[:100].replace("\x00", ""):
        found = found.filter(
            Q(identifier__icontains=words)
            | Q(summary__icontains=words)
            | Q(cve_ids__icontains=words)
        )
    return found


@require_safe
def advisory_detail(request: HttpRequest, identifier: str) -> HttpResponse:
    """One advisory."""
    public = Advisory.objects.published(timezone.now())
    return _page(request, public, identifier, is_early=False)


@require_safe
@login_required
def early_list(request: HttpRequest) -> HttpResponse:
    """What this person was told of before everyone."""
    now = timezone.now()
    told = Advisory.objects.told_to(signed_in(request), now).select_related("product")
    context = {"advisories": told.order_by("published_at"), "now": now}
    return render(request, "releases/advisory_early.html", context)


@require_safe
@login_required
def early_detail(request: HttpRequest, identifier: str) -> HttpResponse:
    """One of them. A reader whose membership ended, or who was not told, finds nothing."""
    told = Advisory.objects.told_to(signed_in(request), timezone.now())
    return _page(request, told, identifier, is_early=True)


def _page(
    request: HttpRequest, allowed: AdvisoryQuerySet, identifier: str, *, is_early: bool
) -> HttpResponse:
    now = timezone.now()
    advisory = get_object_or_404(allowed.with_ranges(), identifier=identifier)
    context = {
        "advisory": advisory,
        "facts": facts_of([advisory], at=now)[0],
        "csaf_url": csaf.address(
            advisory.identifier, (advisory.published_at or now).year, publisher()
        ),
        "is_early": is_early and advisory.is_embargoed(now),
        "is_public": advisory.is_published(now),
        "is_signed": advisory.signed_document() is not None,
    }
    response = render(request, "releases/advisory.html", context)
    if is_early:
        response["Cache-Control"] = "private, no-store"
    return response
