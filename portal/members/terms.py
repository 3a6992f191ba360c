"""The calendar of terms; pure."""

import calendar
from datetime import datetime


def add_months(start: datetime, months: int) -> datetime:
    """The same day `months` later; the last day of the month where that day does not exist."""
    year, month = divmod(start.month - 1 + months, 12)
    year, month = start.year + year, month + 1
    return start.replace(
        year=year, month=month, day=min(start.day, calendar.monthrange(year, month)[1])
    )
