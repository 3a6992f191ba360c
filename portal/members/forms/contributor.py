"""What a contributor says about themselves."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.members.models import Contributor


class ContributorForm(forms.ModelForm[Contributor]):
    website = forms.URLField(
        label=_("Web address"),
        required=False,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"autocomplete": "url"}),
    )

    class Meta:
        model = Contributor
        fields = ("name", "about", "website", "is_listed")
        labels = {"is_listed": _("Show me in the public list of contributors")}
        help_texts = {
            "name": _("As it should read in public."),
            "about": _("Such as: replication, and the German translation."),
            "is_listed": _("You may change this at any time. Name, work and web address show."),
        }
