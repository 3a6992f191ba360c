"""The query of the index of resolutions."""

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.forms.filters import ListFilterForm

FORCE = [
    ("", _("In force or not")),
    ("in_force", _("In force")),
    ("later", _("Takes effect later")),
    ("superseded", _("Superseded")),
]


class ResolutionFilterForm(ListFilterForm):
    state = forms.ChoiceField(label=_("In force"), required=False, choices=FORCE)
