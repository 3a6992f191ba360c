"""Ways back to one's donations: the link of a letter, a new letter, the account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.donations import letters
from portal.donations.forms import LinksForm
from portal.donations.models import Donation
from portal.donations.visitors import mine, opened, remember
from portal.lib import ratelimit

LETTERS_AN_HOUR = 5


@require_safe
@never_cache
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link in our letters: this browser may manage the donation."""
    found = opened(token)
    if found is None:
        return render(request, "donations/link_expired.html", status=404)
    remember(request, found)
    return redirect(found)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def manage(request: HttpRequest) -> HttpResponse:
    """Asks for an address; the answer is the same whether or not somebody gives under it."""
    form = LinksForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if ratelimit.allowed(request, action="donation-links", limit=LETTERS_AN_HOUR, seconds=3600):
            _write(form.cleaned_data["email"])
            text = _("If somebody gives under this address, a letter with the links is on its way.")
            messages.success(request, text)
            return redirect("donations:manage")
        form.add_error(None, _("Too many letters were asked for here. Try again in an hour."))
    return render(request, "donations/manage.html", {"form": form})


def _write(email: str) -> None:
    given = Donation.objects.filter(email__iexact=email, first_paid_at__isnull=False)
    found = list(given.select_related("order", "subscription")[:20])
    if found:
        letters.links_to(email=email, donations=found, at=timezone.now())


@require_safe
@never_cache
@login_required
def own(request: HttpRequest) -> HttpResponse:
    """Every donation of the account and of its verified addresses."""
    return render(request, "donations/own.html", {"donations": mine(request)})
