"""What an organisation says about itself, for who may change that part."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.lib.on_paper import check_printable
from portal.members.details import stamp, words
from portal.members.forms import postal_address
from portal.members.forms.vat_number import clean_vat_number
from portal.members.models import Organisation
from portal.members.rights import EDITABLE, Part

TITLES = {
    Part.WHOLE: _("Legal name"),
    Part.PROFILE: _("Public profile"),
    Part.MONEY: _("Billing"),
    Part.NOTICES: _("Security notices"),
}


class DetailsForm(forms.ModelForm[Organisation]):
    """Only the fields that are named exist; whatever else is sent is nobody's."""

    website = forms.URLField(
        label=_("Web address"),
        required=False,
        assume_scheme="https",
        widget=forms.URLInput({"autocomplete": "url"}),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Organisation
        fields: ClassVar[list[str]] = [field for part in EDITABLE.values() for field in part]
        help_texts: ClassVar[dict[str, Any]] = {
            "legal_name": _("As it stands in the register. Invoices are made out to it."),
            "name": _("As it should read on the supporters page. Addresses of pages stay."),
            "address": postal_address.HELP,
            "vat_number": _("With the country, for example DE811907980."),
            "invoice_email": _("Empty: invoices go to the billing contact."),
            "notices_email": _("A mailbox of your team, besides owners and technical contacts."),
        }
        widgets: ClassVar[dict[str, Any]] = {
            "legal_name": forms.TextInput({"autocomplete": "organization"}),
            "address": postal_address.postal_address_widget(),
        }

    def __init__(
        self, *args: Any, organisation: Organisation, allowed: Collection[str], **kwargs: Any
    ) -> None:
        kwargs["instance"] = copy(organisation)
        super().__init__(*args, **kwargs)
        for name in set(self._meta.fields or ()) - set(allowed):
            del self.fields[name]
        for name in {"legal_name", "address"} & set(self.fields):
            self.fields[name].validators.append(check_printable)
        self.initial["seen"] = stamp(organisation, allowed)
        self.now: dict[str, str] = {}  # what stands there, where somebody else just wrote it

    def clean_address(self) -> str:
        typed = postal_address.clean_postal_address(self.cleaned_data["address"])
        if self.instance.address and not typed:
            raise forms.ValidationError(
                _("Invoices are made out to this address: change it, but do not empty it.")
            )
        return typed

    def clean_vat_number(self) -> str:
        country = self.cleaned_data.get("country", "")
        return clean_vat_number(country, self.cleaned_data["vat_number"])

    def values(self) -> dict[str, str]:
        """What was typed, field by field."""
        return {name: value for name, value in self.cleaned_data.items() if name != "seen"}

    def parts(self) -> list[tuple[str, list[tuple[forms.BoundField, str]]]]:
        """The fields under their titles, each with what stands there now if that is news."""
        shown = {
            part: [(self[name], self.now.get(name, "")) for name in names if name in self.fields]
            for part, names in EDITABLE.items()
        }
        return [(str(TITLES[part]), fields) for part, fields in shown.items() if fields]

    def show_again(self, organisation: Organisation) -> None:
        """Keep what was typed beside what stands there now: the next save means it."""
        typed = self.values()
        self.data = {**self.data.dict(), "seen": stamp(organisation, typed)}  # type: ignore[attr-defined]
        for name, value in typed.items():
            if value != getattr(organisation, name):
                self.now[name] = words(organisation, name) or str(_("nothing"))
