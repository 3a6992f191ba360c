"""A stamp of what the public statistics tell: another as soon as a count or the catalogue is.

Counts of a month are written in one transaction with the moment in `Period`, so its rows stand for
all of them; names that staff approved or refused, and the release catalogue, change what is told
of the same counts. It is compared within one process alone: see `portal/lib/kept.py`.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import connection

from releases import stamp as releases_stamp

MONTHS: Final = """
SELECT sum(hashtextextended(concat_ws(' ', id, computed_at, counted_changes), 0))
FROM feedback_period WHERE unit = 'month' AND computed_at IS NOT NULL
"""
NAMES: Final = "SELECT sum(hashtextextended(name, id)) FROM feedback_knownkey WHERE state = %s"


def statistics(at: dt.datetime) -> str:
    """The stamp of all charts. One query."""
    catalogue, parameters = releases_stamp.catalogue(at)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT concat_ws(' ', ({MONTHS}), ({NAMES}), {catalogue})",
            ["approved", *parameters],
        )
        return str(cursor.fetchone()[0])
