"""The form of a donation, and that of lost links. What somebody typed is kept."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.donations.actions.donation import Donor
from portal.donations.amounts import plain, typed_amount
from portal.donations.models import Donation, DonationCurrency
from portal.lib.money import EXPONENTS, Money
from portal.lib.on_paper import check_printable

OWN = "own"


def limits(offer: DonationCurrency) -> str:
    return _("In %(currency)s, from %(least)s to %(most)s.") % {
        "currency": offer.currency,
        "least": offer.minimum,
        "most": offer.maximum,
    }


def checked_amount(text: str, offer: DonationCurrency) -> Money:
    """What somebody typed, between the least and the most. Raises ValidationError."""
    try:
        money = typed_amount(text, offer.currency)
    except ValueError as error:
        raise forms.ValidationError(_("Write an amount in figures, such as 30.")) from error
    if money.minor < offer.minimum_minor:
        raise forms.ValidationError(_("The least is %s.") % offer.minimum)
    if money.minor > offer.maximum_minor:
        words = _("The most by card is %s. Write to us about more.")
        raise forms.ValidationError(words % offer.maximum)
    return money


class DonationForm(forms.Form):
    """For one currency and one rhythm, which the address of the page says."""

    amount = forms.ChoiceField(label=_("Amount"), widget=forms.RadioSelect)
    own = forms.CharField(label=_("Your own amount"), required=False, max_length=20)
    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        validators=[check_printable],
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        help_text=_("For the receipt, and a link to your donation."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    is_named = forms.BooleanField(
        label=_("Show my name on the donors page"),
        required=False,
        help_text=_("Without the amount. You can change this later."),
    )
    dedication = forms.CharField(
        label=_("Dedication"),
        required=False,
        max_length=140,
        help_text=_(
            "One line for the donors page, such as: in memory of Ada. Staff read it first."
        ),
    )
    message = forms.CharField(
        label=_("Message to us"),
        required=False,
        max_length=1000,
        help_text=_("Only the staff read it."),
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, *args: Any, offer: DonationCurrency, interval: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer
        suggested = [(plain(a), str(a)) for a in offer.suggested(interval)]
        field = self.fields["amount"]
        field.choices = [*suggested, (OWN, _("Another amount"))]  # type: ignore[attr-defined]
        field.initial = suggested[min(1, len(suggested) - 1)][0]
        if self.initial.get("amount") not in {key for key, _label in field.choices}:  # type: ignore[attr-defined]
            self.initial.pop("amount", None)  # of another currency or rhythm
        mode = "decimal" if EXPONENTS[offer.currency] else "numeric"
        self.fields["own"].widget.attrs |= {"inputmode": mode, "autocomplete": "off"}
        self.fields["own"].help_text = limits(offer)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("dedication") and not cleaned.get("is_named"):
            self.add_error(
                "is_named", _("A dedication stands beside your name: let us show it, or leave it.")
            )
        chosen = cleaned.get("amount")
        if chosen == OWN:
            self._clean_own(cleaned.get("own", ""))
        elif chosen and cleaned.get("own", "").strip():
            self.add_error("own", _("Choose “Another amount” for this, or leave it empty."))
        elif chosen:
            cleaned["money"] = typed_amount(chosen, self.offer.currency)
        return cleaned

    def _clean_own(self, text: str) -> None:
        if "own" in self.errors:
            return
        try:
            self.cleaned_data["money"] = checked_amount(text, self.offer)
        except forms.ValidationError as error:
            self.add_error("own", error)

    def money(self) -> Money:
        found: Money = self.cleaned_data["money"]
        return found

    def donor(self) -> Donor:
        names = ("name", "email", "is_named", "message", "dedication")
        return Donor(**{name: self.cleaned_data[name] for name in names})


class AmountForm(forms.Form):
    """Another amount for a donation that runs."""

    amount = forms.CharField(label=_("New amount"), max_length=20)

    def __init__(self, *args: Any, offer: DonationCurrency, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer
        mode = "decimal" if EXPONENTS[offer.currency] else "numeric"
        self.fields["amount"].widget.attrs |= {"inputmode": mode, "autocomplete": "off"}
        self.fields["amount"].help_text = limits(offer)

    def clean_amount(self) -> Money:
        return checked_amount(self.cleaned_data["amount"], self.offer)


class LinksForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail"),
        help_text=_("The address that our letters go to."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )


class NamingForm(forms.ModelForm[Donation]):
    class Meta:
        model = Donation
        fields = ("is_named",)
        labels = {"is_named": _("Show my name on the donors page")}
