"""Times of day in a meeting."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.meetings.document import moment_of
from governance.meetings.presence import Span
from governance.meetings.reading import Reader
from governance.meetings.reading.fact import spans
from governance.meetings.writing import outside
from governance.models import Meeting


class ClockField(forms.TimeField):
    """A time of day on the day of the meeting."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs["widget"] = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(**kwargs)


class SpansField(forms.CharField):
    """Times from one until another: `14:20–14:40, 15:00–15:05`."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault("max_length", 200)
        super().__init__(**kwargs)

    def clean(self, value: Any) -> Any:
        reader = Reader()
        found = spans(reader, 1, super().clean(value))
        if reader.problems:
            raise ValidationError(_("Write 14:20–14:40, and a comma before the next one."))
        return found


def moment_at(meeting: Meeting, clock: time | None) -> datetime | None:
    """The moment of a time of day in the meeting."""
    return moment_of(clock, timezone.localtime(meeting.begins_at)) if clock else None


def clock_of(moment: datetime | None) -> time | None:
    return timezone.localtime(moment).time() if moment else None


def spans_of(found: list[Span]) -> str:
    """Those moments as times of day, for the field."""
    return outside((timezone.localtime(a).time(), timezone.localtime(b).time()) for a, b in found)
