"""Orders and their invoices: the list, the same as CSV, and one with what explains it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.books.access import keeps_books, reader
from portal.books.actions.transfer import balance, due
from portal.books.forms.order import OrderFilterForm
from portal.books.models import RefundRequest
from portal.books.payer import with_payer
from portal.books.tables import csv_response, entry_rows, plain
from portal.lib.money import Money
from portal.payments.models import Order

PAGE = 50
HEADINGS = (
    *("placed", "reference", "payer", "description", "state", "net", "tax", "total", "received"),
    *("currency", "vat", "invoice", "due", "receipt", "paid", "billing e-mail"),
)


@reader
@require_safe
@never_cache
def order_list(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    form = OrderFilterForm(request.GET)
    found = form.narrowed(now)
    page = Paginator(found.prefetch_related("invoices"), PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "totals": _totals(found),
        "query": request.GET.urlencode(),
        "narrowed": any(request.GET.get(name) for name in form.fields),
        "now": now,
    }
    return render(request, "books/order_list.html", context)


@reader
@require_safe
def order_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The same rows, all of them."""
    found = OrderFilterForm(request.GET).narrowed(timezone.now())
    return csv_response("orders.csv", _rows(found))


@reader
@require_safe
@never_cache
def order_detail(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Every amount with its ledger row, and every row with what the provider calls it."""
    order = get_object_or_404(with_payer(Order.objects.all()), reference=reference)
    requests = RefundRequest.objects.with_booking().filter(order=order)
    context = {
        "order": order,
        "entries": entry_rows(order.entries.select_related("order", "credit_note")),
        "balance": balance(order),
        "due": due(order),
        "invoices": [(paper, paper.state_at(timezone.now())) for paper in order.invoices.all()],
        "credit_notes": order.credit_notes.select_related("entry"),
        "requests": requests.select_related("asked_by"),
        "disputes": order.disputes.all(),
        "checkouts": order.checkouts.all(),
        "events": order.events.defer("payload"),
        "keeps": keeps_books(request),
    }
    return render(request, "books/order.html", context)


def _totals(found: QuerySet[Order]) -> list[tuple[Money, Money]]:
    """Ordered and received of each currency."""
    rows = found.order_by("currency").values_list("currency")
    summed = rows.annotate(Sum("amount_minor"), Sum("received_minor"))
    return [(Money(all_, code), Money(received, code)) for code, all_, received in summed]


def _rows(found: QuerySet[Order]) -> Iterator[tuple[object, ...]]:
    yield HEADINGS
    for order in found.prefetch_related("invoices").iterator(chunk_size=500):
        invoice = next((i for i in order.invoices.all() if i.voided_at is None), None)
        received = Money(order.received_minor, order.currency)  # type: ignore[attr-defined]
        yield (
            order.created_at.date().isoformat(),
            order.reference,
            order.payer,  # type: ignore[attr-defined]
            order.description,
            order.state,
            *(plain(money) for money in (order.net, order.tax, order.amount, received)),
            order.currency,
            order.tax_treatment,
            invoice.number if invoice else "",
            invoice.due_at.date().isoformat() if invoice else "",
            order.receipt_number,
            order.paid_at.date().isoformat() if order.paid_at else "",
            order.billing_email,
        )
