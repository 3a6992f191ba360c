"""The promises about how long things are kept."""

from __future__ import annotations

import datetime as dt

from django.db import models, transaction

from feedback import shelf
from feedback.actions.deletion import forget_deletions
from feedback.models import (
    RAW_DAYS,
    ClaimCode,
    ClaimedServer,
    Quarantined,
    Report,
)


@transaction.atomic
def forget_old(*, at: dt.datetime) -> int:
    """Delete raw reports after 90 days and lists of people who left. How many rows.

    Facts go by whole months: see `partition.py`. Counts stay.
    """
    raw = at - dt.timedelta(days=RAW_DAYS)
    kinds: list[type[models.Model]] = [Report, Quarantined]
    deleted = sum(kind._default_manager.filter(received_at__lt=raw).delete()[0] for kind in kinds)
    deleted += forget_deletions(at=at)
    for private in (ClaimedServer, ClaimCode):  # of accounts that were closed
        deleted += private._default_manager.filter(user__is_active=False).delete()[0]
    shelf.clear()
    return deleted
