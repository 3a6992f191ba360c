"""Which days to compare with the provider."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.books.actions.reconciliation import LOOKBACK, PATIENCE
from portal.lib.days import DayField

DAY = timedelta(days=1)


class ComparisonForm(forms.Form):
    """Empty fields: as every night."""

    first = DayField(label=_("First day"), required=False, widget=forms.DateInput({"type": "date"}))
    last = DayField(label=_("Last day"), required=False, widget=forms.DateInput({"type": "date"}))
    up_to_now = forms.BooleanField(
        label=_("Also what is younger than half an hour"),
        required=False,
        help_text=_(
            "News of it may still be under way, and show as a difference for some minutes."
        ),
    )

    def __init__(self, *args: Any, at: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.at = at
        today = timezone.localdate(at)
        self.initial = {"first": timezone.localdate(at - LOOKBACK), "last": today}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        since, until = self.window()
        if since >= until:
            fault = _("The first day must be in the past, and not after the last one.")
            self.add_error("first", fault)
        return given

    def window(self) -> tuple[datetime, datetime]:
        """From the beginning of the first day to the end of the last one, as far as it is past."""
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        newest = self.at if self.cleaned_data.get("up_to_now") else self.at - PATIENCE
        since = _midnight(first) if first else self.at - LOOKBACK
        return since, min(newest, _midnight(last + DAY)) if last else newest


def _midnight(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
