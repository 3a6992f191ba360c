"""The last step of the sign-up, and where an application stands."""

from __future__ import annotations

import logging
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.members.models import Term
from portal.payments.actions.coupon import CouponError
from portal.payments.actions.invoice import invoice_file
from portal.payments.asking import Heard
from portal.payments.models import Invoice
from portal.payments.outcome import is_confirming
from portal.payments.papers import bank_lines
from portal.payments.providers import ProviderError
from portal.sponsors import agreement_pdf
from portal.sponsors.actions.application import (
    IncompleteError,
    TierFullError,
    choose_payment,
    needs_review,
    submit_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.drafts import account, mine
from portal.sponsors.forms import PaymentForm
from portal.sponsors.hosted import hosted_page, look_again
from portal.sponsors.invoicing import send_invoice
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState, PaysBy
from portal.sponsors.places import ConflictError
from portal.sponsors.quote import next_charge
from portal.sponsors.views.join import step_page

logger = logging.getLogger(__name__)


@require_http_methods(["GET", "HEAD", "POST"])
def payment(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Look once more, then send it and go to the hosted page."""
    found = get_object_or_404(mine(request), reference=reference)
    if found.state not in {ApplicationState.DRAFT, ApplicationState.RELEASED}:
        return redirect(found)
    if found.agreement is None:
        return redirect("sponsors:agreement", reference)
    charge = next_charge(found, timezone.now())
    kept = {
        "pays_by": found.pays_by,
        "coupon_code": found.coupon_code,
        "is_recurring": found.is_recurring,
        # An order keeps its price, whatever the tier costs by now.
        "seen": str(charge.price) if found.order is None else "",
    }
    form = PaymentForm(request.POST or None, initial=kept, charge=charge)
    if request.method == "POST" and form.is_valid() and _chosen(request, found, form):
        if "apply" in request.POST:
            return redirect("sponsors:payment", reference)
        return _submit(request, found)
    found = get_object_or_404(mine(request), reference=reference)
    context = {"invoice_days": settings.INVOICE_DAYS, "needs_review": needs_review(found)}
    return step_page(request, "payment", 5, found, form=form, **context)


def _chosen(request: HttpRequest, draft: Application, form: PaymentForm) -> bool:
    """Keep how it is paid; a coupon that does nothing is told beside its field."""
    try:
        choose_payment(
            actor=account(request), application=draft, at=timezone.now(), **form.cleaned_data
        )
    except CouponError as error:
        form.add_error("coupon_code", str(error))
        return False
    except NotPossibleError as error:
        form.add_error(None, str(error))
        return False
    return True


def _submit(request: HttpRequest, draft: Application) -> HttpResponse:
    try:
        sent = submit_application(actor=account(request), application=draft, at=timezone.now())
    except TierFullError:
        messages.error(
            request, _("The last place in this tier was just taken. Choose another one.")
        )
        return redirect("sponsors:tier", draft.reference)
    except ConflictError as error:
        said = _("You hold %(tier)s: the two cannot be held together. Choose another tier.")
        messages.error(request, said % {"tier": error})
        return redirect("sponsors:tier", draft.reference)
    except NotPossibleError as error:
        messages.error(request, str(error))
        return redirect("sponsors:payment", draft.reference)
    except IncompleteError as error:
        messages.error(request, _("This step has changed since you saw it. Look at it again."))
        return redirect(f"sponsors:{error}", draft.reference)
    if sent.state == ApplicationState.PAYMENT and sent.pays_by == PaysBy.INVOICE:
        return _to_invoice(request, sent)
    return _to_hosted_page(request, sent)


def _to_invoice(request: HttpRequest, application: Application) -> HttpResponse:
    """The invoice is issued; the provider's page for it may come a little later."""
    try:
        send_invoice(application=application, at=timezone.now())
    except ProviderError:
        logger.warning("the invoice of %s waits for the provider", application.reference)
    return redirect(application)


@require_POST
def pay(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Once more to the hosted page: after a decline, a look elsewhere, or an approval."""
    payable = mine(request).filter(state=ApplicationState.PAYMENT)
    return _to_hosted_page(request, get_object_or_404(payable, reference=reference))


def _to_hosted_page(request: HttpRequest, application: Application) -> HttpResponse:
    if application.state != ApplicationState.PAYMENT or application.pays_by == PaysBy.INVOICE:
        return redirect(application)
    try:
        now = timezone.now()
        return redirect(hosted_page(actor=account(request), application=application, at=now))
    except ProviderError:
        text = _("The payment page cannot be reached now. Nothing is lost: try again soon.")
        messages.error(request, text)
    except NotPossibleError:
        messages.info(request, _("There is nothing to pay now. This is how it stands."))
    return redirect(application)


@require_safe
@never_cache
def status(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Where it stands. A payment of which nothing was heard is asked about here too."""
    application = get_object_or_404(mine(request), reference=reference)
    if application.state == ApplicationState.DRAFT:
        return redirect("sponsors:organisation", reference)
    heard = Heard.NOTHING
    if application.state == ApplicationState.PAYMENT and application.order:
        heard = look_again(application.order)
        application = mine(request).get(pk=application.pk)
    order = application.order
    checkout = order.checkouts.first() if order else None
    invoice = order.invoices.valid().first() if order else None
    context = {
        "application": application,
        "checkout": checkout,
        "confirming": order is not None and is_confirming(order, heard),
        "order": order,
        "term": Term.objects.filter(order=order).first() if order else None,
        "invoice": invoice,
        "bank_lines": bank_lines(),
        "invoice_state": invoice.state_at(timezone.now()).value if invoice else "",
    }
    return render(request, "sponsors/join/status.html", context)


@require_safe
def agreement_file(request: HttpRequest, reference: UUID) -> HttpResponse:
    """What was accepted, as a PDF to keep."""
    accepted = mine(request).filter(agreement__isnull=False)
    application = get_object_or_404(accepted, reference=reference)
    response = HttpResponse(agreement_pdf.write(application), content_type="application/pdf")
    response["Content-Disposition"] = 'attachment; filename="agreement.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
def invoice_download(request: HttpRequest, reference: UUID) -> HttpResponse:
    """The invoice that is to be paid, or was."""
    application = get_object_or_404(mine(request), reference=reference)
    valid = Invoice.objects.valid().filter(order=application.order_id)
    invoice = get_object_or_404(valid, order__isnull=False)
    response = HttpResponse(invoice_file(invoice), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{invoice.number}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
