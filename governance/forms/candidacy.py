"""Nominations: of oneself, of somebody else, and the answer."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.forms.fields import AccountField
from governance.models import Candidacy

TEXT = forms.Textarea(attrs={"rows": 10})


class StandForm(forms.ModelForm[Candidacy]):
    """What stands beside one's own name on the ballot."""

    class Meta:
        model = Candidacy
        fields = ["affiliation", "statement"]
        widgets = {"statement": TEXT}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["statement"].required = True


class NominateForm(forms.Form):
    """Somebody else, who is asked by a letter."""

    nominee = AccountField(
        label=_("Their e-mail address"),
        help_text=_("The address of their account here. They get a letter and answer themselves."),
    )


class DisqualifyForm(forms.Form):
    reason = forms.CharField(label=_("Which rule excludes them"), max_length=300)
