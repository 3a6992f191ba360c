"""The donors page, and the desk where staff read dedications before everybody does."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.donations import figures
from portal.donations.actions.dedication import hide_name, judge_dedication
from portal.donations.models import Dedication, Donation

PER_PAGE = 100


@require_safe
def donors(request: HttpRequest) -> HttpResponse:
    """Who wishes to be named, and what was given by all, as the ledger has it."""
    named = Donation.objects.named().select_related("subscription").order_by("-first_paid_at", "pk")
    year = timezone.localdate().year
    context = {
        "page": Paginator(named, PER_PAGE).get_page(request.GET.get("page")),
        "year": year,
        "this_year": figures.figures(year),
        "all": figures.figures(),
    }
    response = render(request, "donations/donors.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@role_required(Role.STAFF)
@require_safe
@never_cache
def dedications(request: HttpRequest) -> HttpResponse:
    """What waits stands first."""
    given = Donation.objects.given().select_related("order", "subscription")
    context = {
        "waiting": given.filter(dedication_state=Dedication.WAITING).order_by("first_paid_at"),
        "page": Paginator(given.filter(is_named=True), 50).get_page(request.GET.get("page")),
    }
    return render(request, "donations/dedications.html", context)


@role_required(Role.STAFF)
@require_POST
def judge(request: HttpRequest, pk: int) -> HttpResponse:
    """`act` is show, refuse, hide (the name) or name (again)."""
    found = get_object_or_404(Donation, pk=pk)
    actor = signed_in(request)
    match request.POST.get("act"):
        case "show" | "refuse" as act:
            judge_dedication(actor=actor, donation=found, shown=act == "show")
        case "hide":
            hide_name(actor=actor, donation=found, at=timezone.now())
        case "name":
            hide_name(actor=actor, donation=found, at=None)
    return redirect("donations:dedications")
