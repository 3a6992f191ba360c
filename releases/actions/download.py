"""Taking the counted downloads over from the buffer into rows, each batch exactly once."""

from __future__ import annotations

import datetime as dt
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from releases import downloads
from releases.models import DownloadBatch

KEPT: Final = dt.timedelta(days=30)  # how long a batch is known; the buffer forgets it at once
ADD: Final = """
INSERT INTO releases_downloadcount (file_id, day, count)
SELECT found.file_id, found.day, found.count
  FROM unnest(%s::bigint[], %s::date[], %s::bigint[]) AS found (file_id, day, count)
  JOIN releases_file ON releases_file.id = found.file_id
 ORDER BY 1, 2
ON CONFLICT (file_id, day)
DO UPDATE SET count = releases_downloadcount.count + EXCLUDED.count
"""


def keep_downloads(*, at: dt.datetime) -> int:
    """Keep what the buffer holds; how many downloads that were.

    A batch is forgotten only after its rows are committed. Who dies between is followed by another
    who finds the batch known, and forgets it without counting it again.
    """
    downloads.take()
    kept = 0
    for batch, counts in downloads.batches():
        kept += _keep(batch, counts, at)
        downloads.forget(batch)
    DownloadBatch.objects.filter(kept_at__lt=at - KEPT).delete()
    return kept


@transaction.atomic
def _keep(batch: UUID, counts: downloads.Counts, at: dt.datetime) -> int:
    """The insert of the batch is the lock: a second one waits for the first and finds it done."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO releases_downloadbatch (id, kept_at) VALUES (%s, %s)"
            " ON CONFLICT DO NOTHING",
            [batch, at],
        )
        if not cursor.rowcount:
            return 0
        files, days = [file for file, _ in counts], [day for _, day in counts]
        cursor.execute(ADD, [files, days, list(counts.values())])
    return sum(counts.values())
