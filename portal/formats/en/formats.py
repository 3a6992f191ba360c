"""Dates as 20 Nov 2026, in every page."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i e"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j M"
YEAR_MONTH_FORMAT = "M Y"
