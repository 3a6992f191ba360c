"""What people declare about themselves: for whom they work, what could pull them two ways."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.forms.fields import day_field
from governance.models import Affiliation, Interest
from portal.members.models import Organisation


class _DatedForm(forms.Form):
    since = day_field(label=_("Since"))
    until = day_field(
        label=_("Until"), required=False, help_text=_("The first day after it, if it is over.")
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until <= since:
            self.add_error("until", _("It ends after it begins; choose a later day."))
        return cleaned


class AffiliationForm(_DatedForm):
    """Members are found by their name, so that a later change of it shows."""

    relation = forms.ChoiceField(
        label=_("Relation"), choices=Affiliation.Relation.choices, widget=forms.RadioSelect
    )
    name = forms.CharField(
        label=_("Organisation"),
        required=False,
        max_length=120,
        help_text=_("Its usual name. Leave it empty if you are independent."),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    replaces = forms.BooleanField(
        label=_("It takes the place of everything declared before"), required=False
    )

    field_order = ("relation", "name", "since", "until", "replaces")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        independent = cleaned.get("relation") == Affiliation.Relation.INDEPENDENT
        if independent and cleaned.get("name"):
            self.add_error("name", _("Who is independent names no organisation."))
        if cleaned.get("relation") and not independent and not cleaned.get("name"):
            self.add_error("name", _("Name the organisation, or choose “independent”."))
        return cleaned

    def wanted(self) -> dict[str, Any]:
        """As the action takes it."""
        found = Organisation.objects.filter(name__iexact=self.cleaned_data["name"]).first()
        relation = Affiliation.Relation(self.cleaned_data["relation"])
        return {**self.cleaned_data, "relation": relation, "organisation": found}


class InterestForm(_DatedForm):
    kind = forms.ChoiceField(label=_("Kind"), choices=Interest.Kind.choices)
    what = forms.CharField(
        label=_("What it is"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("In a sentence: whose interest, and what it could touch."),
    )
    audience = forms.ChoiceField(
        label=_("Shown to"),
        choices=Interest.Audience.choices,
        initial=Interest.Audience.PUBLIC,
        widget=forms.RadioSelect,
    )

    field_order = ("kind", "what", "audience", "since", "until")

    def wanted(self) -> dict[str, Any]:
        """As the action takes it."""
        sent = self.cleaned_data
        kind, audience = Interest.Kind(sent["kind"]), Interest.Audience(sent["audience"])
        return {**sent, "kind": kind, "audience": audience}


class EndDeclarationForm(forms.Form):
    """It was so until a day."""

    on = day_field(label=_("First day on which it is over"))

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["on"] = today


class RetractForm(forms.Form):
    """It never was so."""

    because = forms.CharField(label=_("What was wrong"), max_length=200)
