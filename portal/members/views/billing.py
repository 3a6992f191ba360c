"""Invoices, receipts, credit notes and the payment method, for owner and billing contact."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.members.papers import credit_notes_of, customer_of, invoices_of, orders_of, to_pay
from portal.members.renewing import subscriptions_of
from portal.members.rights import Part, own_organisation
from portal.payments import receipt_pdf
from portal.payments.actions.invoice import credit_note_file, invoice_file
from portal.payments.providers import ProviderError, provider


@require_safe
@never_cache
@login_required
def paper_list(request: HttpRequest, slug: str) -> HttpResponse:
    """What is to be paid, what was paid, what came back."""
    organisation = own_organisation(request, slug, Part.MONEY)
    now = timezone.now()
    orders = orders_of(organisation)
    invoices = invoices_of(orders)
    context = {
        "organisation": organisation,
        "to_pay": to_pay(invoices, now),
        "invoices": [(invoice, invoice.state_at(now).value) for invoice in invoices],
        "receipts": [order for order in orders if order.was_paid],
        "credit_notes": credit_notes_of(orders),
        "customer": customer_of(orders, provider().name),
        "refused": subscriptions_of(organisation).troubled().exists(),
    }
    return render(request, "members/papers.html", context)


@require_safe
@login_required
def receipt(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """A receipt as PDF."""
    organisation = own_organisation(request, slug, Part.MONEY)
    for order in orders_of(organisation):
        if order.was_paid and order.receipt_number == number:
            return _file(receipt_pdf.write(order), f"receipt-{number}.pdf")
    raise Http404


@require_safe
@login_required
def invoice(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """An invoice as PDF, the same file each time."""
    organisation = own_organisation(request, slug, Part.MONEY)
    for found in invoices_of(orders_of(organisation)):
        if found.number == number:
            return _file(invoice_file(found), f"invoice-{number}.pdf")
    raise Http404


@require_safe
@login_required
def credit_note(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """A credit note as PDF, the same file each time."""
    organisation = own_organisation(request, slug, Part.MONEY)
    for found in credit_notes_of(orders_of(organisation)):
        if found.number == number:
            return _file(credit_note_file(found), f"credit-note-{number}.pdf")
    raise Http404


@require_POST
@login_required
def payment_method(request: HttpRequest, slug: str) -> HttpResponse:
    """To the provider's own pages, where card and billing details are kept."""
    organisation = own_organisation(request, slug, Part.MONEY)
    papers = reverse("members:papers", args=[slug])
    customer = customer_of(orders_of(organisation), provider().name)
    if customer is None:
        messages.info(request, _("No payment method is kept: the next payment asks for one."))
        return redirect(papers)
    try:
        address = provider().customer_portal(customer.customer_id, settings.BASE_URL + papers)
    except ProviderError:
        text = _("The payment provider does not answer now. Nothing was changed: try again soon.")
        messages.error(request, text)
        return redirect(papers)
    return redirect(address)


def _file(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
