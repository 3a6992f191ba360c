"""What people send around a written consent."""

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.lib.days import MomentField


class ConsentForm(forms.Form):
    """Until when a motion can be signed."""

    deadline = MomentField(
        label=_("To be signed until, UTC"),
        widget=forms.DateTimeInput(
            format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "step": "any"}
        ),
    )


class SignForm(forms.Form):
    """The name under the text."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_("Typed as it stands on the list of signers. It is your signature."),
    )
