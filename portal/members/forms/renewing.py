"""The two buttons beside a subscription."""

from __future__ import annotations

from django import forms


class RenewingForm(forms.Form):
    subscription = forms.UUIDField()
    what = forms.ChoiceField(choices=[("stop", "stop"), ("resume", "resume")])
