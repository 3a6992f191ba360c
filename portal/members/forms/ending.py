"""Why a support ends, for who wants to say it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class EndingForm(forms.Form):
    reason = forms.CharField(
        label=_("Why?"),
        required=False,
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Only staff read it. You need not say anything."),
    )
