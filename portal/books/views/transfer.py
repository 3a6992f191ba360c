"""Lines of the bank statement: typed in, looked at once more, booked; and corrected."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from portal.books.access import keeper
from portal.books.actions.transfer import (
    BANK,
    OPPOSITES,
    BookedAlreadyError,
    TransferError,
    balance,
    correct_transfer,
    due,
    record_transfer,
)
from portal.books.forms.transfer import CorrectionForm, TransferForm
from portal.books.payer import with_payer
from portal.payments.models import LedgerEntry, Order


@keeper
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def transfer(request: HttpRequest, reference: UUID) -> HttpResponse:
    """What was typed is shown once more before it is booked."""
    order = get_object_or_404(with_payer(Order.objects.all()), reference=reference)
    sent = request.POST if request.method == "POST" else None
    form = TransferForm(sent, order=order)
    context = {"order": order, "form": form, "due": due(order), "balance": balance(order)}
    if sent is None or not form.is_valid():
        if isinstance(form.cleaned_data.get("refused") if sent else None, BookedAlreadyError):
            messages.info(request, _("This line is booked, once."))
            return redirect("books:order", reference)
        return render(request, "books/transfer.html", context)
    if sent.get("step") == "book" and _recorded(request, order, form):
        return redirect("books:order", reference)
    again = form.errors or sent.get("step") == "edit"
    context["money"] = form.cleaned_data["money"]
    return render(request, f"books/transfer{'' if again else '_confirm'}.html", context)


def _recorded(request: HttpRequest, order: Order, form: TransferForm) -> bool:
    given = form.cleaned_data
    try:
        record_transfer(
            actor=signed_in(request),
            order=order,
            kind=given["kind"],
            amount=given["money"],
            line=given["line"],
            at=form.at(),
        )
    except BookedAlreadyError:
        messages.info(request, _("This line is booked, once."))
    except TransferError as error:
        form.add_error(error.field, str(error))
        return False
    else:
        messages.success(request, _("Booked: %(amount)s.") % {"amount": given["money"]})
    return True


@keeper
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def correction(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back an entry that was booked by mistake, with one more."""
    own = LedgerEntry.objects.filter(provider=BANK, kind__in=OPPOSITES).select_related("order")
    entry = get_object_or_404(own, pk=pk)
    form = CorrectionForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _corrected(request, entry, form):
        return redirect("books:order", entry.order.reference)
    context = {"entry": entry, "order": entry.order, "form": form}
    return render(request, "books/correction.html", context)


def _corrected(request: HttpRequest, entry: LedgerEntry, form: CorrectionForm) -> bool:
    try:
        correct_transfer(
            actor=signed_in(request),
            entry=entry,
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
        )
    except TransferError as error:
        form.add_error(error.field, str(error))
        return False
    messages.success(request, _("Corrected. Both entries stay in the ledger."))
    return True
