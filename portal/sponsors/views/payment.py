"""The last step of the sign-up, and where an application stands."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.payments.models import CheckoutState
from portal.payments.providers import ProviderError
from portal.sponsors import agreement_pdf
from portal.sponsors.actions.application import (
    IncompleteError,
    NotPossibleError,
    TierFullError,
    submit_application,
)
from portal.sponsors.drafts import account, mine
from portal.sponsors.hosted import ask_provider, hosted_page
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.views.join import step_page

ASK_AGAIN = 2.0  # seconds


@require_http_methods(["GET", "HEAD", "POST"])
def payment(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Look once more, then send it and go to the hosted page."""
    found = get_object_or_404(mine(request), reference=reference)
    if found.state not in {ApplicationState.DRAFT, ApplicationState.RELEASED}:
        return redirect(found)
    if found.agreement is None:
        return redirect("sponsors:agreement", reference)
    if request.method == "POST":
        return _submit(request, found)
    return step_page(request, "payment", 5, found)


def _submit(request: HttpRequest, draft: Application) -> HttpResponse:
    try:
        sent = submit_application(actor=account(request), application=draft, at=timezone.now())
    except TierFullError:
        messages.error(
            request, _("The last place in this tier was just taken. Choose another one.")
        )
        return redirect("sponsors:tier", draft.reference)
    except IncompleteError as error:
        messages.error(request, _("This step has changed since you saw it. Look at it again."))
        return redirect(f"sponsors:{error}", draft.reference)
    return _to_hosted_page(request, sent)


@require_POST
def pay(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Once more to the hosted page: after a decline, a look elsewhere, or an approval."""
    payable = mine(request).filter(state=ApplicationState.PAYMENT)
    return _to_hosted_page(request, get_object_or_404(payable, reference=reference))


def _to_hosted_page(request: HttpRequest, application: Application) -> HttpResponse:
    if application.state != ApplicationState.PAYMENT:
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
    if _ask_about_payment(application):
        application = mine(request).get(pk=application.pk)
    checkout = application.order.checkouts.first() if application.order else None
    context = {"application": application, "checkout": checkout, "order": application.order}
    return render(request, "sponsors/join/status.html", context)


def _ask_about_payment(application: Application) -> bool:
    """The repair of a webhook that is late: visitors come back with the question."""
    order = application.order
    if order is None or application.state != ApplicationState.PAYMENT:
        return False
    now = timezone.now()
    unsettled = order.checkouts.filter(
        state__in=[CheckoutState.OPEN, CheckoutState.PROCESSING]
    ).first()
    if unsettled is None or (now - unsettled.asked_at).total_seconds() < ASK_AGAIN:
        return False
    try:
        ask_provider(checkout=unsettled, at=now)
    except ProviderError:
        return False
    return True


@require_safe
def agreement_file(request: HttpRequest, reference: UUID) -> HttpResponse:
    """What was accepted, as a PDF to keep."""
    accepted = mine(request).filter(agreement__isnull=False)
    application = get_object_or_404(accepted, reference=reference)
    response = HttpResponse(agreement_pdf.write(application), content_type="application/pdf")
    response["Content-Disposition"] = 'attachment; filename="agreement.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response
