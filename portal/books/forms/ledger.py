"""What to show of the ledger."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from portal.books.payer import entries_with_payer
from portal.lib.money import EXPONENTS
from portal.payments.models import LedgerEntry

ORDER = ("-occurred_at", "-pk")


class LedgerFilterForm(forms.Form):
    """A wrong choice narrows nothing."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=100,
        help_text=_("Name, reference of the provider or the bank, receipt."),
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    year = forms.ChoiceField(label=_("Year"), required=False)
    currency = forms.ChoiceField(label=_("Currency"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        moments = LedgerEntry.objects.dates("occurred_at", "year", order="DESC")
        offered: dict[str, list[tuple[str, Any]]] = {
            "kind": LedgerEntry.KINDS,
            "year": [(str(day.year), str(day.year)) for day in moments],
            "currency": [(code, code) for code in EXPONENTS],
        }
        for name, choices in offered.items():
            self.fields[name].choices = [("", _("any")), *choices]  # type: ignore[attr-defined]

    def narrowed(self) -> QuerySet[LedgerEntry]:
        self.is_valid()
        asked = getattr(self, "cleaned_data", {})
        found = entries_with_payer(LedgerEntry.objects.select_related("order"))
        if asked.get("q"):
            found = _holding(found, asked["q"].strip())
        if asked.get("kind"):
            found = found.filter(kind=asked["kind"])
        if asked.get("year"):
            found = found.filter(occurred_at__year=asked["year"])
        if asked.get("currency"):
            found = found.filter(currency=asked["currency"])
        return found.order_by(*ORDER)


def _holding(found: QuerySet[LedgerEntry], text: str) -> QuerySet[LedgerEntry]:
    names = ("payer", "provider_ref", "order__receipt_number", "order__description")
    held = Q(order__billing_email__icontains=text)
    for name in names:
        held |= Q(**{f"{name}__icontains": text})
    return found.filter(held)
