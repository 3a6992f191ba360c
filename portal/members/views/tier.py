"""Staff keep the catalogue: the tiers of a year, one tier, the next year."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.actions.tier import (
    NothingToOfferError,
    YearTakenError,
    clone_year,
    offer_year,
    save_tier,
)
from portal.members.forms.tier import TierForm, YearForm, benefit_formset
from portal.members.models import Tier


@role_required(Role.STAFF, Role.TREASURER)
@require_safe
@never_cache
def tier_list(request: HttpRequest) -> HttpResponse:
    """The tiers of a year; without one, of the newest."""
    years = list(Tier.objects.order_by("-year").values_list("year", flat=True).distinct())
    asked = request.GET.get("year", "")
    year = int(asked) if asked.isdecimal() and len(asked) == 4 else None
    if year not in years:
        year = years[0] if years else timezone.now().year
    tiers = Tier.objects.of_year(year)
    context = {
        "years": years,
        "year": year,
        "tiers": tiers,
        "drafts": sum(not tier.is_offered for tier in tiers),
        "form": YearForm(initial={"year": (years or [year])[0] + 1}),
    }
    return render(request, "members/tier_list.html", context)


@role_required(Role.STAFF, Role.TREASURER)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tier_add(request: HttpRequest) -> HttpResponse:
    newest = Tier.objects.order_by("-year").first()
    return _edit(request, None, newest.year if newest else timezone.now().year)


@role_required(Role.STAFF, Role.TREASURER)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tier_edit(request: HttpRequest, pk: int) -> HttpResponse:
    tier = get_object_or_404(Tier.objects.prefetch_related("prices"), pk=pk)
    return _edit(request, tier, tier.year)


def _edit(request: HttpRequest, tier: Tier | None, year: int) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = TierForm(data, instance=tier, year=year)
    benefits = benefit_formset(tier, data)
    if data is not None and form.is_valid() and benefits.is_valid():
        kept = save_tier(
            actor=signed_in(request),
            tier=form.save(commit=False),
            prices=form.prices(),
            benefits=benefits.benefits(),
            conflicts=form.cleaned_data["conflicts"],
        )
        messages.success(request, _("%(tier)s is saved.") % {"tier": kept})
        return redirect(f"{reverse('members:tiers')}?year={kept.year}")
    name = Tier.objects.get(pk=tier.pk) if tier else None  # the form has changed its own
    sold = name.terms.count() if name else 0
    context = {"form": form, "benefits": benefits, "tier": name, "sold": sold}
    return render(request, "members/tier_form.html", context)


@role_required(Role.STAFF, Role.TREASURER)
@require_POST
def tier_clone(request: HttpRequest, year: int) -> HttpResponse:
    """The tiers of `year` once more, to be looked through before they are offered."""
    form = YearForm(request.POST)
    target = form.cleaned_data["year"] if form.is_valid() else None
    if target is None:
        messages.error(request, _("Give a year of four digits."))
        return redirect(f"{reverse('members:tiers')}?year={year}")
    try:
        clone_year(actor=signed_in(request), source=year, target=target)
    except YearTakenError:
        messages.error(request, _("%(year)s has tiers already.") % {"year": target})
    else:
        said = _("These are drafts: look at prices and benefits, then offer the year.")
        messages.success(request, said)
    return redirect(f"{reverse('members:tiers')}?year={target}")


@role_required(Role.STAFF, Role.TREASURER)
@require_POST
def tier_offer(request: HttpRequest, year: int) -> HttpResponse:
    """What was ticked is on offer from now on; other years are not any more."""
    chosen = [int(pk) for pk in request.POST.getlist("tier") if pk.isdecimal() and len(pk) < 10]
    try:
        tiers = offer_year(actor=signed_in(request), year=year, tiers=chosen)
    except NothingToOfferError as error:
        messages.error(request, _("%(tier)s has no price yet.") % {"tier": error})
    else:
        names = ", ".join(tier.name for tier in tiers) or _("nothing")
        messages.success(request, _("On offer now: %(names)s.") % {"names": names})
    return redirect(f"{reverse('members:tiers')}?year={year}")
