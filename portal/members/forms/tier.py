"""What staff write about a tier: the offer, its prices, what it gives."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar, Final

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.members.models import Benefit, BenefitKind, Tier

HIGHEST: Final = 10_000_000
ROWS: Final = 3  # empty ones for more benefits


class TierForm(forms.ModelForm[Tier]):
    conflicts = forms.ModelMultipleChoiceField(
        label=_("Cannot be held together with"),
        queryset=Tier.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("An organisation in one of these cannot take this one too."),
    )

    class Meta:
        model = Tier
        fields = (
            *("name", "slug", "year", "kind", "note", "rank", "logo_size", "months", "capacity"),
            *("needs_review", "early_notices", "is_highlighted", "is_offered", "conflicts"),
        )
        help_texts: ClassVar[dict[str, Any]] = {
            "slug": _("In addresses: gold. Small letters, digits and hyphens."),
        }

    def __init__(self, *args: Any, year: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = self.instance.pk
        others = Tier.objects.filter(year=year).exclude(pk=own).order_by("rank", "name")
        self.fields["conflicts"].queryset = others  # type: ignore[attr-defined]
        if own:
            self.fields["conflicts"].initial = list(self.instance.conflicts.all())
        else:
            self.fields["year"].initial = year
        for currency, exponent in EXPONENTS.items():
            self.fields[f"price_{currency}"] = self._price_field(currency, exponent)

    def _price_field(self, currency: str, exponent: int) -> forms.DecimalField:
        price = self.instance.price(currency) if self.instance.pk else None
        return forms.DecimalField(
            label=currency,
            required=False,
            min_value=Decimal(1),
            max_value=HIGHEST,
            decimal_places=exponent,
            initial=Decimal(price.minor).scaleb(-exponent) if price else None,
        )

    @property
    def price_fields(self) -> list[forms.BoundField]:
        return [self[f"price_{currency}"] for currency in EXPONENTS]

    def prices(self) -> list[Money]:
        """Those that were filled in."""
        given = {currency: self.cleaned_data[f"price_{currency}"] for currency in EXPONENTS}
        return [
            Money(int(amount.scaleb(EXPONENTS[currency])), currency)
            for currency, amount in given.items()
            if amount is not None
        ]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        given = [cleaned.get(f"price_{currency}") for currency in EXPONENTS]
        if cleaned.get("is_offered") and not any(given) and not self.errors:
            self.add_error("is_offered", _("Give it a price in one currency before it is offered."))
        return cleaned


class BenefitForm(forms.ModelForm[Benefit]):
    class Meta:
        model = Benefit
        fields = ("kind", "text", "quantity", "months_to_use", "is_included")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        kind, counted = cleaned.get("kind"), cleaned.get("quantity")
        has_words = bool(cleaned.get("text"))
        if kind in {BenefitKind.SEATS, BenefitKind.TICKETS, BenefitKind.VOTES}:
            if cleaned.get("is_included") and not counted and "quantity" not in self.errors:
                self.add_error("quantity", _("How many?"))
            elif not counted and not has_words:
                self.add_error("text", _("Say in words what is not included."))
        elif not has_words and "text" not in self.errors:
            self.add_error("text", _("Say in words what it is."))
        return cleaned


class BenefitFormSet(BaseFormSet[BenefitForm]):
    def benefits(self) -> list[Benefit]:
        """In the sequence of the page, without those that are taken out."""
        rows = [form for form in self.forms if form.has_changed() or form.initial]
        return [form.instance for form in rows if not form.cleaned_data.get("DELETE")]


def benefit_formset(tier: Tier | None, data: Any = None) -> BenefitFormSet:
    """One row for each benefit, and some empty ones."""
    factory = formset_factory(
        BenefitForm, formset=BenefitFormSet, extra=ROWS, can_delete=True, max_num=40
    )
    fields = ("kind", "text", "quantity", "months_to_use", "is_included")
    known = tier.benefits.values(*fields) if tier and tier.pk else []
    formset: BenefitFormSet = factory(data, initial=list(known), prefix="benefits")  # type: ignore[assignment]
    return formset


class YearForm(forms.Form):
    """Which year gets the tiers of this one."""

    year = forms.IntegerField(label=_("New year"), min_value=2000, max_value=2100)
