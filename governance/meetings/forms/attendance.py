"""The roll."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.meetings.document import CAME
from governance.meetings.forms.clock import (
    ClockField,
    SpansField,
    clock_of,
    moment_at,
    spans_of,
)
from governance.meetings.presence import Span, follow_each_other, stays
from governance.models import Attendance


class AttendanceForm(forms.Form):
    """One row of the roll."""

    kind = forms.ChoiceField(choices=Attendance.Kind.choices, label=_("Attendance"))
    arrived = ClockField(label=_("Arrived, if later"))
    outside = SpansField(label=_("Outside meanwhile"))
    left = ClockField(label=_("Left, if earlier"))

    def __init__(self, data: Any = None, *, row: Attendance) -> None:
        self.row = row
        initial = {
            "kind": row.kind,
            "arrived": clock_of(row.arrived_at),
            "outside": spans_of(row.spans),
            "left": clock_of(row.left_at),
        }
        super().__init__(data, prefix=str(row.pk), initial=initial)

    @property
    def is_there(self) -> bool:
        """In the room until further notice, by what is kept."""
        return self.row.kind in CAME and self.row.left_at is None

    def moment(self, name: str) -> datetime | None:
        return moment_at(self.row.meeting, self.cleaned_data[name])

    @property
    def outings(self) -> list[Span]:
        """From when until when they were outside."""
        meeting = self.row.meeting
        found = ([moment_at(meeting, at) for at in span] for span in self.cleaned_data["outside"])
        return [(left, back) for left, back in found if left and back]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        arrived, left = self.moment("arrived"), self.moment("left")
        if arrived and left and left <= arrived:
            self.add_error("left", _("Before the arrival."))
        elif not follow_each_other(stays(arrived, left, self.outings)):
            self.add_error("outside", _("The times do not follow each other."))
        return cleaned


class GuestForm(forms.Form):
    """Sent with the roll; most rolls have no guest, so a browser must not ask for the name."""

    name = forms.CharField(label=_("Name"), max_length=150, required=False)
    seat = forms.CharField(
        label=_("As what"), max_length=80, required=False, help_text=_("For example “Auditor”.")
    )
