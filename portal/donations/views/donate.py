"""Giving: the form, and the way to the hosted page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from portal.donations.actions.donation import place_donation
from portal.donations.forms import DonationForm
from portal.donations.hosted import NotPossibleError, hosted_page
from portal.donations.models import Donation, DonationCurrency
from portal.donations.visitors import account, remember
from portal.lib import ratelimit
from portal.payments.providers import ProviderError, provider

DONATIONS_AN_HOUR = 20
RHYTHMS = {"once": "", "month": "month", "year": "year"}
CHOICES = [
    ("once", gettext_lazy("Once")),
    ("month", gettext_lazy("Every month")),
    ("year", gettext_lazy("Every year")),
]


@require_http_methods(["GET", "HEAD", "POST"])
def donate(request: HttpRequest) -> HttpResponse:
    """One form for each currency and rhythm; both stand in the address.

    `look` goes over to another one with what was typed so far.
    """
    offers = list(DonationCurrency.objects.all())
    wanted = request.GET.get("currency", "")
    offer = next((o for o in offers if o.currency == wanted), offers[0] if offers else None)
    often = request.GET.get("often", "")
    often = often if often in RHYTHMS else "once"
    context = {"offers": offers, "offer": offer, "often": often, "often_choices": CHOICES}
    if offer is None:
        return render(request, "donations/donate.html", context)
    looks = "look" in request.POST
    form = DonationForm(
        None if looks else request.POST or None,
        offer=offer,
        interval=RHYTHMS[often],
        initial=request.POST.dict() if looks else _own_address(request),
    )
    if not looks and request.method == "POST" and form.is_valid():
        if ratelimit.allowed(request, action="donate", limit=DONATIONS_AN_HOUR, seconds=3600):
            return _place(request, form, RHYTHMS[often])
        form.add_error(None, _("Too many donations were begun here. Try again in an hour."))
    return render(request, "donations/donate.html", context | {"form": form})


def _place(request: HttpRequest, form: DonationForm, interval: str) -> HttpResponse:
    donation = place_donation(
        actor=account(request),
        donor=form.donor(),
        amount=form.money(),
        interval=interval,
        provider=provider().name,
    )
    remember(request, donation)
    return to_hosted_page(request, donation)


def to_hosted_page(request: HttpRequest, donation: Donation) -> HttpResponse:
    try:
        now = timezone.now()
        return redirect(hosted_page(actor=account(request), donation=donation, at=now))
    except ProviderError:
        text = _("The payment page cannot be reached now. Nothing is lost: try again soon.")
        messages.error(request, text)
    except NotPossibleError:
        messages.info(request, _("There is nothing to pay now. This is how it stands."))
    return redirect(donation)


def _own_address(request: HttpRequest) -> dict[str, str]:
    user = account(request)
    return {"name": user.name, "email": user.email} if user else {}
