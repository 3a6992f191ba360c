"""The ledger: what each payer's account says in each currency, and every entry as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.books.access import reader
from portal.books.forms.ledger import LedgerFilterForm
from portal.books.payer import entries_with_payer
from portal.books.tables import csv_response, plain, provider_url
from portal.lib.money import Money
from portal.payments.models import LedgerEntry

PAGE = 50
HEADINGS = (
    *("entry", "occurred", "booked", "kind", "amount", "currency", "payer", "organisation"),
    *("order", "description", "provider", "provider reference", "receipt", "credit note"),
)


@reader
@require_safe
@never_cache
def entry_list(request: HttpRequest) -> HttpResponse:
    form = LedgerFilterForm(request.GET)
    found = form.narrowed()
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": [(entry, provider_url(entry.provider, entry.provider_ref)) for entry in page],
        "sums": _sums(found),
        "query": request.GET.urlencode(),
        "narrowed": any(request.GET.get(name) for name in form.fields),
    }
    return render(request, "books/ledger.html", context)


@reader
@require_safe
def entry_csv(request: HttpRequest) -> StreamingHttpResponse:
    return csv_response("ledger.csv", _rows(LedgerFilterForm(request.GET).narrowed()))


@reader
@require_safe
@never_cache
def balance_list(request: HttpRequest) -> HttpResponse:
    """What was received from each payer in each currency; the sums are those of the ledger."""
    found = _balances()
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    totals = LedgerEntry.objects.totals()
    context = {"page": page, "rows": [_balance(row) for row in page], "totals": totals}
    return render(request, "books/balances.html", context)


@reader
@require_safe
def balance_csv(request: HttpRequest) -> StreamingHttpResponse:
    def rows() -> Iterator[tuple[object, ...]]:
        yield ("payer", "organisation", "currency", "in", "out", "balance", "entries")
        for row in _balances():
            shown = _balance(row)
            amounts = [plain(shown[name]) for name in ("came", "went", "balance")]
            yield (row["payer"], row["organisation_slug"], row["currency"], *amounts, row["count"])

    return csv_response("balances.csv", rows())


def _balances() -> QuerySet[LedgerEntry, dict[str, Any]]:
    named = entries_with_payer(LedgerEntry.objects.order_by())
    key = ("payer", "organisation_slug", "currency")
    summed = named.values(*key).annotate(
        came=Sum("amount_minor", filter=Q(amount_minor__gt=0), default=0),
        went=Sum("amount_minor", filter=Q(amount_minor__lt=0), default=0),
        balance=Sum("amount_minor"),
        count=Count("pk"),
    )
    ordered: QuerySet[LedgerEntry, dict[str, Any]] = summed.order_by(*key)
    return ordered


def _balance(row: dict[str, Any]) -> dict[str, Any]:
    money = {name: Money(row[name], row["currency"]) for name in ("came", "went", "balance")}
    return {**row, **money}


def _sums(found: QuerySet[LedgerEntry]) -> list[dict[str, object]]:
    """For each currency what came, what went and what stays: a sum as bookkeepers write it."""
    kinds = dict(LedgerEntry.KINDS)
    totals: dict[str, list[tuple[str, int]]] = {}
    rows = found.order_by("currency", "kind").values_list("currency", "kind")
    for currency, kind, minor in rows.annotate(Sum("amount_minor")):
        totals.setdefault(currency, []).append((str(kinds[kind]), minor))
    return [
        {
            "currency": currency,
            "rows": [{"label": label, "value": Money(minor, currency)} for label, minor in lines],
            "total": Money(sum(minor for _label, minor in lines), currency),
        }
        for currency, lines in totals.items()
    ]


def _rows(found: QuerySet[LedgerEntry]) -> Iterator[tuple[object, ...]]:
    yield HEADINGS
    for entry in found.select_related("order", "credit_note").iterator(chunk_size=500):
        note = getattr(entry, "credit_note", None)
        yield (
            entry.pk,
            entry.occurred_at.isoformat(timespec="seconds"),
            entry.booked_at.isoformat(timespec="seconds"),
            entry.kind,
            plain(entry.amount),
            entry.currency,
            entry.payer,  # type: ignore[attr-defined]
            entry.organisation_slug,  # type: ignore[attr-defined]
            entry.order.reference,
            entry.order.description,
            entry.provider,
            entry.provider_ref,
            entry.order.receipt_number,
            note.number if note else "",
        )
