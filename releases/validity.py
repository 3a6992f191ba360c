"""How long an index is good for: when it is renewed, and when somebody has to be told."""

from __future__ import annotations

import datetime as dt
from typing import Final

RENEW_AT: Final = 50  # percent of its time that are left
WARN_AT: Final = (0, 10, 25)  # the last warning first


def percent_left(dated: dt.datetime, until: dt.datetime, *, at: dt.datetime) -> float:
    """Of the time between; below 0 when it is over."""
    return (until - at) / (until - dated) * 100


def is_due(dated: dt.datetime, until: dt.datetime, *, at: dt.datetime) -> bool:
    """Whether to renew now: every client then has a fresh index for half of its time at least."""
    return percent_left(dated, until, at=at) <= RENEW_AT


def warning_step(dated: dt.datetime, until: dt.datetime, *, at: dt.datetime) -> int | None:
    """The warning that is due, in percent; None while it is early enough."""
    left = percent_left(dated, until, at=at)
    return next((step for step in WARN_AT if left <= step), None)
