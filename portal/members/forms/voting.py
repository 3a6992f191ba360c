"""A record date, and what to show of the answers at it."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.days import DayField
from portal.members.electorate import Candidate
from portal.members.eligibility import Constituency
from portal.members.eligibility_words import CONSTITUENCIES

DAY: Final = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def end_of(day: dt.date) -> dt.datetime:
    """The last moment of that day."""
    return timezone.make_aware(dt.datetime.combine(day, dt.time.max))


class RecordDateForm(forms.Form):
    on = DayField(label=_("Record date"), required=False, widget=DAY)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["on"].initial = timezone.localdate()

    def day(self) -> dt.date:
        """The day that was asked for; today where none or a wrong one was."""
        asked = self.cleaned_data.get("on") if self.is_valid() else None
        return asked or timezone.localdate()


class ElectorateForm(RecordDateForm):
    q = forms.CharField(label=_("Name"), required=False)
    constituency = forms.ChoiceField(
        label=_("Constituency"),
        required=False,
        choices=[("", _("both")), *((c.value, CONSTITUENCIES[c]) for c in Constituency)],
    )
    answer = forms.ChoiceField(
        label=_("May vote"),
        required=False,
        choices=[("", _("yes and no")), ("yes", _("yes")), ("no", _("no"))],
    )

    def shows(self, candidate: Candidate) -> bool:
        asked = self.cleaned_data if self.is_valid() else {}
        constituency, answer = asked.get("constituency"), asked.get("answer")
        return (
            asked.get("q", "").casefold() in candidate.name.casefold()
            and constituency in (None, "", candidate.answer.constituency.value)
            and answer in (None, "", "yes" if candidate.answer.may_vote else "no")
        )
