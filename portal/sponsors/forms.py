"""The forms of the sign-up. What somebody typed is kept when something is wrong."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.on_paper import check_printable
from portal.members.forms import postal_address
from portal.members.forms.vat_number import clean_vat_number
from portal.members.models import Tier
from portal.sponsors.catalogue import Offer
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import PaysBy
from portal.sponsors.quote import NextCharge

WAYS = [(PaysBy.CARD, _("By card, now")), (PaysBy.INVOICE, _("By invoice and bank transfer"))]


class OrganisationForm(forms.ModelForm[Application]):
    website = forms.URLField(
        label=_("Web address"),
        required=False,
        assume_scheme="https",
        error_messages={"invalid": _("Write it as your browser shows it, such as example.org.")},
        widget=forms.URLInput({"autocomplete": "url"}),
    )

    class Meta:
        model = Application
        fields = (
            *("legal_name", "name", "address", "country", "vat_number", "website"),
            *("owner_name", "owner_email", "billing_name", "billing_email"),
            *("technical_name", "technical_email", "marketing_name", "marketing_email"),
            "is_listed",
        )
        help_texts: ClassVar[dict[str, Any]] = {
            "name": _("As it should read on the supporters page. Empty: the legal name."),
            "address": postal_address.HELP,
            "vat_number": _("With the country, for example DE811907980."),
            "owner_email": _("We mail a link to this draft here."),
        }
        widgets: ClassVar[dict[str, Any]] = {
            "legal_name": forms.TextInput({"autocomplete": "organization"}),
            "address": postal_address.postal_address_widget(),
            "owner_name": forms.TextInput({"autocomplete": "name"}),
            "owner_email": forms.EmailInput({"autocomplete": "email"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = False
        self.fields["address"].required = True
        for name in ("legal_name", "address"):
            self.fields[name].validators.append(check_printable)

    def clean_address(self) -> str:
        return postal_address.clean_postal_address(self.cleaned_data["address"])

    def clean_vat_number(self) -> str:
        country = self.cleaned_data.get("country", "")
        return clean_vat_number(country, self.cleaned_data["vat_number"])

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


def recurring_words(charge: NextCharge) -> str:
    """The day and the amount of the next charge, before anybody agrees to it."""
    words = _(
        "By card only. If you pay today, the next %(price)s will be charged on %(day)s, and so on"
        " every %(months)s months. We write before each charge; you can end it on your pages."
    )
    told = words % {"price": charge.price, "day": _day(charge.day), "months": charge.months}
    if charge.term_ends is None or charge.term_ends.date() <= charge.day.date():
        return told
    early = _("The day counts from this payment; the new term itself runs until %(day)s.")
    return f"{told} {early % {'day': _day(charge.term_ends)}}"


def _day(moment: datetime) -> str:
    return formats.date_format(timezone.localtime(moment), "j M Y")


class PaymentForm(forms.Form):
    """By card or by invoice, and a coupon."""

    pays_by = forms.ChoiceField(label=_("How do you pay?"), choices=WAYS, widget=forms.RadioSelect)
    is_recurring = forms.BooleanField(
        label=_("Renew automatically, until we end it"),
        required=False,
    )
    coupon_code = forms.CharField(
        label=_("Coupon"),
        required=False,
        max_length=40,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "characters"}),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)  # the price on the page

    def __init__(self, *args: Any, charge: NextCharge, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.charge = charge
        self.fields["is_recurring"].help_text = recurring_words(charge)

    def clean(self) -> dict[str, Any] | None:
        given = self.cleaned_data
        seen, now = given.pop("seen", ""), str(self.charge.price)
        if seen and seen != now:  # nobody orders at a price that they did not see
            self.data = {**self.data.dict(), "seen": now}  # type: ignore[attr-defined]
            words = _("The price has changed since you opened this page: it is %(price)s now.")
            raise forms.ValidationError(words % {"price": now})
        if given.get("is_recurring") and given.get("pays_by") == PaysBy.INVOICE:
            words = _("Only a card can be charged again. Choose the card, or leave this out.")
            self.add_error("is_recurring", words)
        return super().clean()


class AgreementForm(forms.Form):
    accepted_by = forms.CharField(
        label=_("Your name"),
        max_length=120,
        help_text=_("Who accepts for the organisation."),
        validators=[check_printable],
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


class ApprovalForm(forms.Form):
    """Yes, with a word to the owner."""

    words = forms.CharField(
        label=_("Words to the owner"),
        required=False,
        max_length=1000,
        help_text=_("Stands in the letter, above the link to pay."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class RejectionForm(forms.Form):
    """No, and why."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        help_text=_("The owner reads it in the letter and on the page, as you write it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
