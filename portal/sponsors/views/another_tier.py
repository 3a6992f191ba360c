"""Another tier for an organisation that is known: beside what it holds, or in its place."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.members.rights import Part, own_organisation
from portal.sponsors import catalogue
from portal.sponsors.actions.another_tier import begin_another
from portal.sponsors.drafts import account
from portal.sponsors.forms import TierForm
from portal.sponsors.upgrades import step_to
from portal.sponsors.views.begin import begin


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def another_tier(request: HttpRequest, slug: str) -> HttpResponse:
    """For owner and billing contact; each tier says what would happen."""
    organisation = own_organisation(request, slug, Part.MONEY)
    now = timezone.now()
    newest = organisation.terms.order_by("-starts_at").first()
    wanted = request.GET.get("currency", newest.currency if newest else "")
    offer = catalogue.offer(wanted)
    form = TierForm(request.POST or None, offer=offer)
    if request.method == "POST" and form.is_valid():
        make = partial(
            begin_another,
            actor=account(request),
            organisation=organisation,
            tier=form.chosen(),
            currency=offer.currency,
            at=now,
        )
        answer = begin(request, make)
        if answer is not None:
            return answer
    choices = [(place, step_to(organisation, place.tier, now)) for place in offer.places]
    context = {"organisation": organisation, "form": form, "offer": offer, "choices": choices}
    return render(request, "sponsors/another_tier.html", context)
