"""The day that a page of the catalogue is asked for, by `?at=YYYY-MM-DD`."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.lib.days import of_our_times

END_OF_DAY = dt.time(23, 59, 59, 999999, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """The moment, and what a page says about it."""

    at: dt.datetime
    day: dt.date
    is_other_day: bool
    text: str = ""
    error: str = ""

    @property
    def status(self) -> int:
        return 400 if self.error else 200


def asked(request: HttpRequest) -> Asked:
    """Today is this very moment; another day is looked at from its end, with what is known now."""
    now = timezone.now()
    text = request.GET.get("at", "").strip()
    today = now.date()
    if not text:
        return Asked(now, today, is_other_day=False)
    try:
        day = of_our_times(dt.date.fromisoformat(text))
    except ValueError:
        error = _("Write the day as year, month and day, such as 2026-11-21. This is today.")
        return Asked(now, today, is_other_day=False, text=text[:40], error=error)
    if day == today:
        return Asked(now, today, is_other_day=False, text=text)
    return Asked(dt.datetime.combine(day, END_OF_DAY), day, is_other_day=True, text=text)
