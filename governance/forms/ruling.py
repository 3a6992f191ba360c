"""What is asked of the officers of an election, and their answer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.models import Complaint, Objection

TEXT = forms.Textarea(attrs={"rows": 4})


class ObjectionForm(forms.Form):
    """To the vote of this key on a roll, or to its being missing there."""

    kind = forms.ChoiceField(choices=Objection.Kind.choices, widget=forms.HiddenInput)
    key = forms.CharField(max_length=120, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Why"),
        max_length=2000,
        widget=TEXT,
        help_text=_("Everybody reads it. Name what can be checked: dates, roles, invoices."),
    )


class ComplaintForm(forms.Form):
    text = forms.CharField(
        label=_("What went wrong"),
        max_length=2000,
        widget=TEXT,
        help_text=_("Everybody reads it. Say when it was, and what should be done about it."),
    )


class RulingForm(forms.Form):
    answer = forms.ChoiceField(
        label=_("Ruling"), choices=Complaint.Answer.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=TEXT,
        help_text=_("Everybody reads it. Name the rule or the bylaw that you go by."),
    )
