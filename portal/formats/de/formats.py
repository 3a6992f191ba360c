"""Dates as 20. Nov 2026; fields of forms take and show what browsers send, in every language."""

DATE_FORMAT = "j. M Y"
DATETIME_FORMAT = "j. M Y, H:i e"
SHORT_DATE_FORMAT = "j. M Y"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j. M"
YEAR_MONTH_FORMAT = "M Y"
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d.%m.%Y"]
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"]

# Django asks here by name for every pattern that stands in a template or in code, and takes it as
# it is where nothing is found. A test fails for a pattern with a day that is missing here.
PATTERNS = {
    "j F": "j. F",
    "j F Y": "j. F Y",
    "j F Y, H:i e": "j. F Y, H:i e",
    "j M": "j. M",
    "j M Y": "j. M Y",
    "j M Y H:i": "j. M Y H:i",
    "j M Y H:i e": "j. M Y H:i e",
    "j M Y, H:i": "j. M Y, H:i",
    "j M Y, H:i e": "j. M Y, H:i e",
    "j M, H:i": "j. M, H:i",
    "j M, H:i e": "j. M, H:i e",
    "l, j F Y, H:i": "l, j. F Y, H:i",
}
globals().update(PATTERNS)
