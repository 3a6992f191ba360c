"""Renewing a term: from the organisation's pages, or by the link of a letter without a login.

The choice of the tier makes an application with everything filled in; the steps after it are those
of the sign-up.
"""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.lib import links
from portal.members.models import Term
from portal.members.rights import Part, own_organisation
from portal.sponsors import catalogue
from portal.sponsors.actions.renewal import begin_renewal, charging
from portal.sponsors.catalogue import Offer, Place
from portal.sponsors.drafts import account, remember
from portal.sponsors.forms import TierForm
from portal.sponsors.models import Application
from portal.sponsors.models.application import UNDER_WAY
from portal.sponsors.renewal_letters import LINK_LASTS, RENEW
from portal.sponsors.views.begin import begin


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def renew(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """For owner and billing contact."""
    organisation = own_organisation(request, slug, Part.MONEY)
    terms = Term.objects.filter(organisation=organisation)
    return _renewal(request, get_object_or_404(terms.select_related("organisation"), pk=pk))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def renew_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link in our letters, for contacts with or without an account."""
    pk = links.unsign(token, purpose=RENEW, max_age=LINK_LASTS)
    term = Term.objects.select_related("organisation").filter(pk=pk).first() if pk else None
    if term is None:
        return render(request, "sponsors/join/link_expired.html", status=404)
    return _renewal(request, term)


def _renewal(request: HttpRequest, term: Term) -> HttpResponse:
    under_way = Application.objects.filter(renews=term, state__in=UNDER_WAY).first()
    if under_way is not None:
        remember(request, under_way)
        return redirect(under_way)
    now = timezone.now()
    offer = catalogue.offer(request.GET.get("currency", term.currency), line=term.line)
    same = _same(offer, term)
    initial = {"tier": same.tier.key} if same else {}
    form = TierForm(request.POST or None, offer=offer, initial=initial)
    if request.method == "POST" and form.is_valid():
        make = partial(
            begin_renewal,
            actor=account(request),
            term=term,
            tier=form.chosen(),
            currency=offer.currency,
            at=now,
        )
        answer = begin(request, make)
        if answer is not None:
            return answer
    context = {
        "term": term,
        "organisation": term.organisation,
        "form": form,
        "offer": offer,
        "same": same,
        "is_renewable": Term.objects.renewable().filter(pk=term.pk).exists(),
        "next_term": term.renewed_by.order_by("-ends_at").first(),
        "subscription": charging(term),
        "in_grace": term.in_grace(now),
        "is_over": term.grace_until <= now,
    }
    return render(request, "sponsors/renewal.html", context)


def _same(offer: Offer, term: Term) -> Place | None:
    """This tier as it is offered now: itself, or that of a later year."""
    places = [place for place in offer.places if place.tier.slug == term.tier.slug]
    return max(places, key=lambda place: place.tier.year, default=None)
