"""Telling people that a key expires: 90, 30 and 7 days before, each once."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from portal.lib import audit
from releases.actions import alarm
from releases.models import Alarm, SigningKey


@transaction.atomic
def warn_of_expiry(*, at: dt.datetime) -> list[SigningKey]:
    """The keys about which letters were promised now: to release managers and to staff."""
    told = []
    for key in SigningKey.objects.expiring(at).select_for_update():
        step = key.warning_step(at)
        if key.expires_at is None or step is None:
            continue
        if not alarm.is_new(kind=Alarm.Kind.KEY, key=key, moment=key.expires_at, step=step, at=at):
            continue
        alarm.tell(
            alarm.people(at),
            template="key_expires",
            mark=f"{key.pk}:{key.expires_at}:{step}",
            key=key,
            days=key.days_left(at),
            is_expired=key.is_expired(at),
        )
        audit.record(actor=None, verb="key.warn", subject=key, days=step)
        told.append(key)
    return told
