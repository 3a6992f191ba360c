"""What to show of the directory."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.lib.countries import COUNTRIES
from portal.members.models.organisation import OrganisationQuerySet


class DirectoryForm(forms.Form):
    """Offers the countries and tiers that there are; a wrong choice narrows nothing."""

    q = forms.CharField(label=_("Name"), required=False)
    country = forms.ChoiceField(label=_("Country"), required=False)
    tier = forms.ChoiceField(label=_("Tier"), required=False)

    def __init__(self, *args: Any, members: OrganisationQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.members = members
        self.found = list(members.values_list("country", "tier", "tier_rank"))  # type: ignore[misc]
        countries = {country for country, _tier, _rank in self.found}
        tiers = {tier: rank for _country, tier, rank in self.found}
        named = [(code, name) for code, name in COUNTRIES if code in countries]
        ranked = sorted(tiers, key=lambda tier: (tiers[tier], tier))
        self.fields["country"].choices = [("", _("any")), *named]  # type: ignore[attr-defined]
        self.fields["tier"].choices = [("", _("any")), *((t, t) for t in ranked)]  # type: ignore[attr-defined]

    def narrowed(self) -> OrganisationQuerySet:
        asked = self.cleaned_data if self.is_valid() else getattr(self, "cleaned_data", {})
        found = self.members
        self.narrows = any(asked.values())
        if asked.get("q"):
            found = found.filter(name__icontains=asked["q"])
        if asked.get("country"):
            found = found.filter(country=asked["country"])
        if asked.get("tier"):
            found = found.filter(tier=asked["tier"])  # type: ignore[misc]
        return found
