"""Nominating somebody, and answering a nomination. What was typed is kept when it is wrong."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django import forms
from django.core.validators import URLValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.days import DayField
from portal.members.terms import add_months

MOST_LINKS: Final = 10
MONTHS: Final = 24  # of a standing, unless the reviewer says else
LONGEST: Final = 60
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
check_url = URLValidator(schemes=["http", "https"])


class LinksField(forms.CharField):
    """Web addresses, one to a line; gives a list."""

    widget = forms.Textarea(attrs={"rows": 3, "inputmode": "url", "autocapitalize": "off"})

    def clean(self, value: str | None) -> list[str]:
        links = [line.strip() for line in (super().clean(value) or "").splitlines()]
        links = list(dict.fromkeys(link for link in links if link))
        if len(links) > MOST_LINKS:
            raise forms.ValidationError(_("Ten links are enough. Choose the telling ones."))
        for link in links:
            self._check(link)
        return links

    def _check(self, link: str) -> None:
        try:
            check_url(link)
        except forms.ValidationError as error:
            message = _("“%(link)s” is no web address. Write each in full, one to a line.")
            raise forms.ValidationError(message, params={"link": link[:80]}) from error


class NominationForm(forms.Form):
    name = forms.CharField(label=_("Name of the person"), max_length=120)
    email = forms.EmailField(
        label=_("Their e-mail address"),
        help_text=_("The answer goes there, and the account of this address gets the role."),
    )
    did = forms.CharField(
        label=_("What they did"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Code, reviews, tests, translations, documents, events: what and since when."),
    )
    links = LinksField(
        label=_("Links"),
        required=False,
        max_length=4000,
        help_text=_("Where it can be seen; one web address to a line."),
    )


class UntilForm(forms.Form):
    """A last day, as the end of that day."""

    until = DayField(label=_("Contributor until"), widget=DAY)

    def __init__(self, *args: object, at: dt.datetime, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.at = at
        self.fields["until"].initial = add_months(at, MONTHS).date()

    def clean_until(self) -> dt.datetime:
        day: dt.date = self.cleaned_data["until"]
        if day > add_months(self.at, LONGEST).date():
            raise forms.ValidationError(_("Five years at most; it can be renewed then."))
        end = timezone.make_aware(dt.datetime.combine(day + dt.timedelta(days=1), dt.time()))
        if end <= self.at:
            raise forms.ValidationError(_("This day is over. Choose a later one."))
        return end


class ApprovalForm(UntilForm):
    reason = forms.CharField(
        label=_("Words to the person"),
        required=False,
        max_length=400,
        help_text=_("Stands in the letters to both."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class RenewalForm(UntilForm):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=400,
        help_text=_("Such as what they did since; it is kept, and stands in the letter."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class ReasonForm(forms.Form):
    """Why not, or not any more."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=400,
        help_text=_("It stands in the letter as you write it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
