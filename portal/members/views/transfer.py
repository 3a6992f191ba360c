"""Offering an organisation to another owner, and answering such an offer."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import recently_authenticated, signed_in
from portal.members.actions.transfer import (
    NotOpenError,
    NotOwnerError,
    OfferOpenError,
    OwnAddressError,
    accept_transfer,
    decline_transfer,
    offer_transfer,
    withdraw_transfer,
)
from portal.members.forms.contact import TransferForm
from portal.members.models import Organisation, Transfer
from portal.members.views.contact import owned


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@recently_authenticated
def transfer(request: HttpRequest, slug: str) -> HttpResponse:
    """The owner offers it; what was offered before, and what came of it."""
    organisation = owned(request, slug)
    form = TransferForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _offered(request, organisation, form):
        return redirect("members:transfer", slug)
    now = timezone.now()
    context = {
        "organisation": organisation,
        "form": form,
        "open": organisation.transfers.open_on(now).first(),
        "past": organisation.transfers.exclude(pk__in=organisation.transfers.open_on(now)),
    }
    return render(request, "members/transfer.html", context)


def _offered(request: HttpRequest, organisation: Organisation, form: TransferForm) -> bool:
    try:
        made = offer_transfer(
            actor=signed_in(request),
            organisation=organisation,
            at=timezone.now(),
            **form.cleaned_data,
        )
    except OwnAddressError:
        form.add_error("email", _("This is your own address. Name somebody else."))
        return False
    except OfferOpenError:
        form.add_error(None, _("Another offer is open. Take it back first."))
        return False
    messages.success(request, _("Offered. %(name)s gets a letter.") % {"name": made.name})
    return True


@require_POST
@login_required
def transfer_withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    organisation = owned(request, slug)
    now = timezone.now()
    found = organisation.transfers.open_on(now).first()
    if found is None:
        messages.info(request, _("No offer is open any more."))
        return redirect("members:transfer", slug)
    try:
        withdraw_transfer(actor=signed_in(request), transfer=found, at=now)
        messages.success(request, _("The offer is taken back."))
    except NotOpenError:
        messages.info(request, _("It was answered meanwhile."))
    return redirect("members:transfer", slug)


@require_POST
@login_required
def transfer_accept(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    now = timezone.now()
    found = get_object_or_404(Transfer.objects.offered_to(user, now), pk=pk)
    try:
        organisation = accept_transfer(user=user, transfer=found, at=now)
    except (NotOpenError, NotOwnerError):
        messages.error(request, _("The offer does not stand any more. Ask who made it."))
        return redirect("members:organisations")
    messages.success(request, _("You own %(name)s now.") % {"name": organisation})
    return redirect("members:organisation", organisation.slug)


@require_POST
@login_required
def transfer_decline(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    now = timezone.now()
    found = get_object_or_404(Transfer.objects.offered_to(user, now), pk=pk)
    try:
        decline_transfer(user=user, transfer=found, at=now)
        messages.success(request, _("Declined. Who offered it gets a letter."))
    except NotOpenError:
        messages.info(request, _("The offer was taken back meanwhile."))
    return redirect("members:organisations")
