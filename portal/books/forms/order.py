"""What to show of the orders."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import BigIntegerField, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from portal.books.payer import with_payer
from portal.lib.money import EXPONENTS
from portal.payments.models import Invoice, LedgerEntry, Order

SORTS = {
    "newest": (_("Newest first"), ("-created_at", "-pk")),
    "oldest": (_("Oldest first"), ("created_at", "pk")),
    "payer": (_("Who pays"), ("payer", "-created_at", "-pk")),
    "amount": (_("Largest amount"), ("-amount_minor", "-created_at", "-pk")),
    "paid": (_("Paid last"), (F("paid_at").desc(nulls_last=True), "-created_at", "-pk")),
}
INVOICED = "invoiced"
OVERDUE = "overdue"


class OrderFilterForm(forms.Form):
    """A wrong choice narrows nothing."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=500,
        help_text=_(
            "Name, e-mail, number of a paper, reference of the provider or the bank, or the words"
            " of a transfer as the statement has them."
        ),
    )
    state = forms.ChoiceField(label=_("State"), required=False)
    year = forms.ChoiceField(label=_("Year"), required=False)
    currency = forms.ChoiceField(label=_("Currency"), required=False)
    sort = forms.ChoiceField(
        label=_("Sort"),
        required=False,
        choices=[(key, words) for key, (words, _by) in SORTS.items()],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        years = [str(day.year) for day in Order.objects.dates("created_at", "year", order="DESC")]
        offered: dict[str, list[tuple[str, Any]]] = {
            "state": [*Order.STATES, (INVOICED, _("invoiced, not paid")), (OVERDUE, _("overdue"))],
            "year": [(year, year) for year in years],
            "currency": [(code, code) for code in EXPONENTS],
        }
        for name, choices in offered.items():
            self.fields[name].choices = [("", _("any")), *choices]  # type: ignore[attr-defined]

    def narrowed(self, at: Any) -> QuerySet[Order]:
        self.is_valid()
        asked = getattr(self, "cleaned_data", {})
        found = with_received(with_payer(Order.objects.all()))
        if asked.get("q"):
            found = _holding(found, asked["q"].strip())
        if asked.get("state"):
            found = _in_state(found, asked["state"], at)
        if asked.get("year"):
            found = found.filter(created_at__year=asked["year"])
        if asked.get("currency"):
            found = found.filter(currency=asked["currency"])
        return found.order_by(*SORTS[asked.get("sort") or "newest"][1])


def with_received(orders: QuerySet[Order]) -> QuerySet[Order]:
    """Adds `received_minor`: the sum of an order's ledger in its own currency."""
    own = LedgerEntry.objects.filter(order=OuterRef("pk"), currency=OuterRef("currency"))
    total = own.order_by().values("order").annotate(sum=Sum("amount_minor")).values("sum")
    received = Coalesce(Subquery(total, output_field=BigIntegerField()), 0)
    return orders.annotate(received_minor=received)


def _in_state(found: QuerySet[Order], state: str, at: Any) -> QuerySet[Order]:
    if state not in {INVOICED, OVERDUE}:
        return found.filter(state=state)
    open_ones = Q(invoices__voided_at__isnull=True, invoices__isnull=False, paid_at__isnull=True)
    late = Q(invoices__due_at__lt=at) if state == OVERDUE else Q()
    return found.filter(open_ones & late)


def _holding(found: QuerySet[Order], text: str) -> QuerySet[Order]:
    """Any of the names by which somebody may ask for an order."""
    named = Q(payer__icontains=text) | Q(description__icontains=text)
    for field in ("billing_name", "billing_email", "receipt_number", "provider_invoice_id"):
        named |= Q(**{f"{field}__icontains": text})
    papers = Q(invoices__number__icontains=text) | Q(credit_notes__number__icontains=text)
    rows = Order.objects.filter(
        papers
        | Q(invoices__in=Invoice.objects.named_in(text))
        | Q(entries__provider_ref__icontains=text)
        | Q(checkouts__session_id=text)
        | Q(disputes__dispute_id=text)
    )
    return found.filter(named | Q(pk__in=rows.values("pk")) | _by_reference(text))


def _by_reference(text: str) -> Q:
    try:
        return Q(reference=forms.UUIDField().clean(text))
    except forms.ValidationError:
        return Q(pk__in=[])
