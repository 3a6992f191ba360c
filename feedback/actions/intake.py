"""Taking reports in, and counting what was refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Greatest

from feedback import inbox
from feedback.models import Intake, Outcome


@transaction.atomic
def receive_reports(*, rows: Iterable[inbox.Row]) -> int:
    """Put reports into the inbox with one COPY, as the receiver does; how many there were."""
    reports = 0
    with connection.cursor() as cursor, cursor.copy(inbox.COPY) as copy:
        copy.set_types(inbox.TYPES)
        for row in rows:
            copy.write_row(row.values())
            reports += 1
    return reports


@transaction.atomic
def count_refused(*, outcome: Outcome, day: dt.date, reports: int = 1) -> None:
    """Count what was refused for good, so that the page of the reports can tell."""
    with connection.cursor() as cursor:
        cursor.execute(inbox.COUNT, (day, outcome.value, reports))


def uncount(*, outcome: Outcome, day: dt.date, reports: int = 1) -> None:
    """Take reports back that come to another end than they were counted under."""
    counted = Intake.objects.filter(day=day, outcome=outcome)
    counted.update(reports=Greatest(F("reports") - reports, 0))
