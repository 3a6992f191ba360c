"""A person for a seat, and a letter to all of them."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.members.models import Mailing


class SubscriberForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"), help_text=_("The letters of the list go there.")
    )


class MailingForm(forms.ModelForm[Mailing]):
    class Meta:
        model = Mailing
        fields = ("subject", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 14})}
        help_texts = {
            "text": _("Markdown. Greeting and the way to unsubscribe are added by themselves."),
        }
