"""Deleting a server that asks for it itself."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import models, transaction

from feedback import inbox
from feedback.models import (
    ClaimedServer,
    Deletion,
    Incoming,
    Quarantined,
    Report,
    ServerWeek,
    Tombstone,
)
from feedback.server_weeks import touch_periods
from portal.lib import audit

BURIED_FOR: Final = dt.timedelta(days=7)  # a server repeats what it could not deliver for hours
ASKED_FOR: Final = dt.timedelta(days=30)  # then a code that no server sent is forgotten


@transaction.atomic
def ask_deletion(*, at: dt.datetime) -> str:
    """A code; the server that sends `delete:<code>` is forgotten."""
    code = inbox.new_code()
    Deletion.objects.create(digest=inbox.word_digest(f"delete:{code}"), asked_at=at)
    return code


@transaction.atomic
def delete_server(*, digest: bytes, server_key: bytes, at: dt.datetime) -> Deletion | None:
    """Forget all that is kept of a server that sent a code; None when there is no such code."""
    asked = Deletion.objects.select_for_update().filter(digest=digest, done_at=None).first()
    if asked is None:
        return None
    weeks = set(ServerWeek.objects.filter(server_key=server_key).values_list("week", flat=True))
    kinds: list[type[models.Model]] = [Incoming, Quarantined, Report, ServerWeek, ClaimedServer]
    asked.rows = sum(
        kind._default_manager.filter(server_key=server_key).delete()[0] for kind in kinds
    )
    asked.done_at = at
    asked.save(update_fields=["rows", "done_at"])
    Tombstone.objects.update_or_create(server_key=server_key, defaults={"until": at + BURIED_FOR})
    audit.record(actor=None, verb="feedback.server_deleted", subject=asked, rows=asked.rows)
    touch_periods(weeks)
    return asked


def forget_deletions(*, at: dt.datetime) -> int:
    """Delete tombstones that are over, and codes a month old."""
    old = Tombstone.objects.filter(until__lt=at).delete()[0]
    return old + Deletion.objects.filter(asked_at__lt=at - ASKED_FOR).delete()[0]
