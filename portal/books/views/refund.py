"""Money back through the provider: how much and why, looked at once more, asked for once."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.access import recently_authenticated, signed_in
from portal.books.access import keeper
from portal.books.actions.refund import (
    RefundError,
    ask_refund,
    may_refund,
    refundable,
    send_refund,
)
from portal.books.forms.amount import typed
from portal.books.forms.transfer import RefundForm
from portal.books.models import RefundRequest
from portal.books.renewing import charged_again, end_renewal
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry
from portal.payments.providers import ProviderError


@keeper
@recently_authenticated
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def refund(request: HttpRequest, pk: int) -> HttpResponse:
    """The key of the form makes it one refund, also when the button is pressed twice."""
    payments = LedgerEntry.objects.filter(kind=EntryKind.PAYMENT).select_related(
        "order__subscription"
    )
    payment = get_object_or_404(payments, pk=pk)
    sent = request.POST if request.method == "POST" else None
    if sent and _pressed_twice(request, sent.get("key", "")):
        return redirect("books:order", payment.order.reference)
    left = refundable(payment)
    first = {"key": uuid.uuid4(), "amount": typed(left) if left.minor else ""}
    renews = charged_again(payment.order)
    form = RefundForm(sent, payment=payment, left=left, renews=renews, initial=first)
    valid = form.is_valid()
    if valid and sent and sent.get("step") == "refund" and _asked(request, payment, form):
        return redirect("books:order", payment.order.reference)
    context = {
        "payment": payment,
        "order": payment.order,
        "form": form,
        "left": left,
        "renews": renews,
        "possible": may_refund(payment) and left.minor > 0,
    }
    look = valid and not form.errors and sent and sent.get("step") != "edit"
    return render(request, f"books/refund{'_confirm' if look else ''}.html", context)


def _pressed_twice(request: HttpRequest, key: str) -> bool:
    """The refund of this form is asked for already: how it stands, its order says."""
    try:
        known = RefundRequest.objects.filter(key=uuid.UUID(key)).exists()
    except ValueError:
        return False
    if known:
        messages.info(request, _("This refund was asked for, once. This is how it stands."))
    return known


def _asked(request: HttpRequest, payment: LedgerEntry, form: RefundForm) -> bool:
    given = form.cleaned_data
    try:
        asked = ask_refund(
            actor=signed_in(request),
            payment=payment,
            amount=given["amount"],
            reason=given["reason"],
            key=given["key"],
        )
    except RefundError as error:
        form.add_error("amount", str(error))
        return False
    _send(request, asked)
    if given.get("ends_renewal"):
        _end_renewal(request, payment, ends_support=given["amount"] == form.left)
    return True


def _end_renewal(request: HttpRequest, payment: LedgerEntry, *, ends_support: bool) -> None:
    try:
        end_renewal(
            actor=signed_in(request),
            order=payment.order,
            at=timezone.now(),
            ends_support=ends_support,
        )
        messages.success(request, _("No more money is taken by itself."))
    except ProviderError:
        words = _("The provider did not answer: the donation is not ended yet. Try again soon.")
        messages.error(request, words)


def _send(request: HttpRequest, asked: RefundRequest) -> None:
    try:
        sent = send_refund(request=asked, at=timezone.now())
    except ProviderError:
        words = _(
            "The provider did not answer. The refund is kept and sent again by itself; do not"
            " ask for it a second time."
        )
        messages.warning(request, words)
        return
    if sent.refused_at:
        messages.error(request, _("The provider refused: %(words)s") % {"words": sent.last_error})
    else:
        messages.success(
            request, _("The provider took it. It is booked when the provider's event comes.")
        )
