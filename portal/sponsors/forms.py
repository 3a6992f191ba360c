"""The forms of the sign-up. What somebody typed is kept when something is wrong."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.members.models import Tier
from portal.sponsors.catalogue import Offer
from portal.sponsors.models import Agreement, Application

VAT = re.compile(r"[A-Z]{2}[0-9A-Z+*]{2,13}")


class OrganisationForm(forms.ModelForm[Application]):
    website = forms.URLField(
        label=_("Web address"),
        required=False,
        assume_scheme="https",
        widget=forms.URLInput({"autocomplete": "url"}),
    )

    class Meta:
        model = Application
        fields = (
            *("legal_name", "name", "country", "vat_number", "website"),
            *("owner_name", "owner_email", "billing_name", "billing_email"),
            *("technical_name", "technical_email", "marketing_name", "marketing_email"),
            "is_listed",
        )
        help_texts: ClassVar[dict[str, Any]] = {
            "name": _("As it should read on the supporters page. Empty: the legal name."),
            "vat_number": _("With the country, for example DE811907980."),
            "owner_email": _("We mail a link to this draft here."),
        }
        widgets: ClassVar[dict[str, Any]] = {
            "legal_name": forms.TextInput({"autocomplete": "organization"}),
            "owner_name": forms.TextInput({"autocomplete": "name"}),
            "owner_email": forms.EmailInput({"autocomplete": "email"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = False

    def clean_vat_number(self) -> str:
        number = re.sub(r"[\s.-]", "", self.cleaned_data["vat_number"]).upper()
        if number and not number[:2].isalpha():
            raise forms.ValidationError(_("Start with two letters for the country, such as DE."))
        if number and not VAT.fullmatch(number):
            raise forms.ValidationError(_("Two letters and up to 13 characters, without spaces."))
        return number

    def clean(self) -> dict[str, Any] | None:
        for role in ("billing", "technical", "marketing"):
            name, email = (self.cleaned_data.get(f"{role}_{part}") for part in ("name", "email"))
            if name and not email and f"{role}_email" not in self.errors:
                self.add_error(f"{role}_email", _("Add the address of this contact."))
        return super().clean()


class TierForm(forms.Form):
    """Another tier for a draft."""

    tier = forms.ChoiceField(label=_("Tier"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, offer: Offer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tiers = {place.tier.key: place.tier for place in offer.places}
        choices = [(p.tier.key, f"{p.tier.name}, {p.price}") for p in offer.places]
        self.fields["tier"].choices = choices  # type: ignore[attr-defined]

    def chosen(self) -> Tier:
        return self.tiers[self.cleaned_data["tier"]]


class AgreementForm(forms.Form):
    accepted_by = forms.CharField(
        label=_("Your name"),
        max_length=120,
        help_text=_("Who accepts for the organisation."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    sha256 = forms.CharField(widget=forms.HiddenInput)
    accepted = forms.BooleanField(
        label=_("I have read the agreement and accept it for the organisation"),
        error_messages={"required": _("Accept the agreement to go on.")},
    )

    def __init__(self, *args: Any, agreement: Agreement, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.agreement = agreement
        self.initial.setdefault("sha256", agreement.sha256)

    def clean(self) -> dict[str, Any] | None:
        if self.cleaned_data.get("sha256") != self.agreement.sha256:
            self.data = {**self.data.dict(), "sha256": self.agreement.sha256}  # type: ignore[attr-defined]
            raise forms.ValidationError(
                _("The agreement has changed since you opened this page. Read it again.")
            )
        return super().clean()
