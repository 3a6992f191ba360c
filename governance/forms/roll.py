"""The query of a roll."""

from django import forms
from django.utils.translation import gettext_lazy as _


class RollForm(forms.Form):
    """Part of a name, and whether they have taken part."""

    q = forms.CharField(label=_("Name"), required=False, max_length=80)
    state = forms.ChoiceField(
        label=_("Taken part"),
        required=False,
        choices=[("", _("All")), ("taken", _("yes")), ("missing", _("not yet"))],
    )
