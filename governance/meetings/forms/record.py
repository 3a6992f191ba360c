"""What was said of each item."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from governance.meetings import words
from governance.meetings.forms.clock import ClockField, clock_of, moment_at
from governance.meetings.reading import faults_of
from governance.models import AgendaItem, Meeting


class RecordForm(forms.Form):
    """When it began and ended, and what was said of each item."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    opened = ClockField(label=_("Called to order, UTC"))
    closed = ClockField(label=_("Adjourned, UTC"))

    def __init__(
        self, *args: Any, meeting: Meeting, items: list[AgendaItem], **kwargs: Any
    ) -> None:
        self.meeting, self.items = meeting, items
        kwargs["initial"] = {
            "seen": meeting.record_version,
            "opened": clock_of(meeting.opened_at),
            "closed": clock_of(meeting.closed_at),
        }
        super().__init__(*args, **kwargs)
        for item in items:
            self.fields[f"item_{item.pk}"] = forms.CharField(
                label=f"{item.position}. {item.title}",
                required=False,
                initial=item.record,
                strip=False,
                widget=forms.Textarea(attrs={"rows": 6}),
                validators=[told_apart],
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        opened, closed = (moment_at(self.meeting, cleaned.get(n)) for n in ("opened", "closed"))
        if closed and (opened is None or closed < opened):
            self.add_error("closed", _("The meeting is adjourned after it was called to order."))
        return cleaned

    def records(self) -> dict[int, str]:
        return {item.pk: self.cleaned_data[f"item_{item.pk}"] for item in self.items}

    def moment(self, name: str) -> datetime | None:
        return moment_at(self.meeting, self.cleaned_data[name])


def told_apart(text: str) -> None:
    faults = faults_of(text)
    if faults:
        raise ValidationError([words.problem(fault) for fault in faults])
