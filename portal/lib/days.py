"""Days and moments that somebody types: of our times. The first and the last ones that there are
have no day before or after them, and arithmetic with them ends in an error.
"""

import datetime as dt
from typing import Any, Final, TypeVar

from django import forms
from django.core.exceptions import ValidationError

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2999
Day = TypeVar("Day", bound=dt.date)


class DayField(forms.DateField):
    def to_python(self, value: Any) -> dt.date | None:
        return _checked(self, super().to_python(value))


class MomentField(forms.DateTimeField):
    def to_python(self, value: Any) -> dt.datetime | None:
        return _checked(self, super().to_python(value))


def _checked(field: forms.Field, day: Day | None) -> Day | None:
    try:
        return day and of_our_times(day)
    except ValueError:
        raise ValidationError(field.error_messages["invalid"], code="invalid") from None


def of_our_times(day: Day) -> Day:
    """The day, or ValueError."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError("a day without neighbours")
    return day
