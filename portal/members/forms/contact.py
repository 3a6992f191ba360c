"""Contacts of an organisation, and the offer to own it."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.members.models import Contact, Transfer
from portal.members.models.contact import MAY


class ContactForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"), help_text=_("Who signs in with this address gets the role.")
    )
    role = forms.ChoiceField(label=_("Role"), choices=[], widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(role, f"{name}: {MAY[role]}") for role, name in Contact.ROLES]
        self.fields["role"].choices = named  # type: ignore[attr-defined]


class TransferForm(forms.ModelForm[Transfer]):
    class Meta:
        model = Transfer
        fields = ("name", "email", "stays_as")
        labels: ClassVar[dict[str, Any]] = {"name": _("Name of the new owner")}
        help_texts: ClassVar[dict[str, Any]] = {
            "email": _("They accept with the account of this address, within 14 days."),
            "stays_as": _("Without a role you do not see the organisation's pages any more."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        roles = [("", _("nobody, without a role")), *Contact.ROLES[1:]]
        self.fields["stays_as"].choices = roles  # type: ignore[attr-defined]
