"""One donation: thanks that tell the true state, receipts, card, naming, the end."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.donations.actions.donation import choose_naming
from portal.donations.forms import AmountForm, NamingForm
from portal.donations.hosted import (
    NotPossibleError,
    cancel,
    card_page,
    change_amount,
    look_again,
)
from portal.donations.models import Donation, DonationCurrency
from portal.donations.standing import standing_of
from portal.donations.views.donate import to_hosted_page
from portal.donations.visitors import account, mine
from portal.payments import receipt_pdf
from portal.payments.asking import Heard
from portal.payments.providers import ProviderError


@require_safe
@never_cache
def donation(request: HttpRequest, reference: UUID) -> HttpResponse:
    """How it stands. A payment of which nothing was heard is asked about here too."""
    found = get_object_or_404(mine(request), reference=reference)
    heard = look_again(found.order)
    found = mine(request).get(pk=found.pk)
    return _page(request, found, _amount_form(found), heard)


def _page(
    request: HttpRequest, found: Donation, form: AmountForm | None, heard: Heard = Heard.NOTHING
) -> HttpResponse:
    context = {
        "amount_form": form,
        "donation": found,
        "order": found.order,
        "standing": standing_of(found, heard),
        "subscription": found.subscription,
        "receipts": found.receipts(),
        "naming": NamingForm(instance=found),
    }
    return render(request, "donations/donation.html", context)


@require_POST
def pay(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Once more to the hosted page: after a decline, a refusal, a look elsewhere."""
    return to_hosted_page(request, get_object_or_404(mine(request), reference=reference))


@require_POST
def card(request: HttpRequest, reference: UUID) -> HttpResponse:
    """To the provider's page for cards."""
    found = get_object_or_404(mine(request).recurring(), reference=reference)
    try:
        return redirect(card_page(found))
    except ProviderError:
        messages.error(request, _("The provider does not answer now. Try again soon."))
    except NotPossibleError:
        messages.info(request, _("No card is kept for this donation."))
    return redirect(found)


@require_POST
def amount(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Another amount from the next payment on; a wrong one is told beside its field."""
    found = get_object_or_404(mine(request).recurring(), reference=reference)
    form = _amount_form(found, request.POST)
    if form is None:
        messages.info(request, _("There is no amount to change: nothing is taken again."))
        return redirect(found)
    if not form.is_valid():
        return _page(request, found, form)
    try:
        wanted = form.cleaned_data["amount"]
        change_amount(actor=account(request), donation=found, amount=wanted, at=timezone.now())
        words = _("Kept: %(amount)s is taken from the next payment on. Thank you.")
        messages.success(request, words % {"amount": wanted})
    except ProviderError:
        messages.error(request, _("The provider does not answer now: the amount stays. Try again."))
    except NotPossibleError:
        messages.info(request, _("There is no amount to change: nothing is taken again."))
    return redirect(found)


def _amount_form(found: Donation, data: QueryDict | None = None) -> AmountForm | None:
    """For a donation that runs, in a currency that is still taken."""
    offers = DonationCurrency.objects.filter(currency=found.amount.currency)
    offer = offers.first() if found.is_running else None
    return AmountForm(data, offer=offer) if offer else None


@require_POST
def end(request: HttpRequest, reference: UUID) -> HttpResponse:
    """No money is taken any more, from this moment on."""
    found = get_object_or_404(mine(request).recurring(), reference=reference)
    try:
        cancel(actor=account(request), donation=found, at=timezone.now())
        messages.success(request, _("Ended: nothing is taken any more. Thank you for giving."))
    except ProviderError:
        messages.error(request, _("The provider does not answer now: it is not ended. Try again."))
    except NotPossibleError:
        messages.info(request, _("It had ended before, or never began."))
    return redirect(found)


@require_POST
def naming(request: HttpRequest, reference: UUID) -> HttpResponse:
    found = get_object_or_404(mine(request), reference=reference)
    form = NamingForm(request.POST, instance=found)
    if form.is_valid():
        wish = form.cleaned_data["is_named"]
        choose_naming(actor=account(request), donation=found, is_named=wish)
        messages.success(request, _("Kept."))
    return redirect(found)


@require_safe
def receipt(request: HttpRequest, reference: UUID, number: str) -> HttpResponse:
    found = get_object_or_404(mine(request), reference=reference)
    order = get_object_or_404(found.receipts(), receipt_number=number)
    response = HttpResponse(receipt_pdf.write(order), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="receipt-{number}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
