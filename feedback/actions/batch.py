"""Taking in many reports at once: of a fleet, of the past, of an archive."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import connection, transaction

from feedback import inbox
from feedback.actions.intake import receive_reports
from feedback.models import ImportedPart
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def receive_batch(*, actor: User, rows: Sequence[inbox.Row]) -> int:
    """Put the reports that somebody submits into the inbox; how many there were."""
    taken = receive_reports(rows=rows)
    audit.record(actor=actor, verb="feedback.batch_received", subject=actor, reports=taken)
    return taken


@transaction.atomic
def import_part(*, archive: bytes, part: int, rows: Sequence[inbox.Row], at: dt.datetime) -> bool:
    """Put a part of an archive into the inbox; False when that has been done before.

    Who imports the same part meanwhile is waited for: the row of the part is written first.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {ImportedPart._meta.db_table} (archive, part, reports, imported_at)"  # noqa: S608  (a constant)
            " VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [archive, part, len(rows), at],
        )
        if not cursor.rowcount:
            return False
    receive_reports(rows=rows)
    return True
