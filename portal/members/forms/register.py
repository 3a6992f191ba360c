"""What the staff ask of organisations, and what they write about one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.lib.countries import COUNTRIES
from portal.members.models import Organisation, Term
from portal.members.register import STANDS, narrowed


class RegisterFilterForm(forms.Form):
    """A wrong choice narrows nothing."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=100,
        help_text=_("Name, VAT number, name or address of a contact."),
    )
    stand = forms.ChoiceField(label=_("State"), required=False)
    tier = forms.ChoiceField(label=_("Tier"), required=False)
    country = forms.ChoiceField(label=_("Country"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tiers = Term.objects.order_by("tier_name").values_list("tier_name", flat=True).distinct()
        used = set(Organisation.objects.order_by().values_list("country", flat=True).distinct())
        offered: dict[str, list[tuple[str, Any]]] = {
            "stand": [(stand.value, words) for stand, words in STANDS.items()],
            "tier": [(tier, tier) for tier in tiers],
            "country": [(code, name) for code, name in COUNTRIES if code in used],
        }
        for name, choices in offered.items():
            self.fields[name].choices = [("", _("any")), *choices]  # type: ignore[attr-defined]

    def narrowed(self, found: QuerySet[Organisation], at: datetime) -> QuerySet[Organisation]:
        self.is_valid()
        asked = getattr(self, "cleaned_data", {})
        given = {name: asked[name].strip() for name in self.fields if asked.get(name)}
        return narrowed(found, at, **given)


class BenefitUseForm(forms.Form):
    """Some of a benefit was used."""

    quantity = forms.IntegerField(label=_("How many"), min_value=1, max_value=30_000, initial=1)
    note = forms.CharField(
        label=_("For what"),
        max_length=200,
        required=False,
        help_text=_("The organisation reads it too."),
    )


class TakeDownForm(forms.Form):
    """Why a logo is not shown any more."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("It is in the letter to the organisation, word for word."),
    )
