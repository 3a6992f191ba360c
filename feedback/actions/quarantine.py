"""Reports that could not be read: back into the inbox after a fix, or deleted."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Final

from django.db import transaction

from feedback.actions.intake import count_refused, uncount
from feedback.models import Incoming, Intake, Kind, Outcome, Quarantined, QuarantinedQuerySet
from feedback.packing import digest, unpack
from portal.accounts.models import User
from portal.lib import audit

AT_ONCE: Final = 1_000  # reports of one transaction


@transaction.atomic
def read_again(*, actor: User, reports: QuarantinedQuerySet) -> int:
    """Put the oldest of these reports back into the inbox; how many. The worker reads them then,
    and those that it still cannot read are set aside again.
    """
    rows = list(reports.select_for_update(skip_locked=True).order_by("number")[:AT_ONCE])
    if not rows:
        return 0
    Incoming.objects.bulk_create(_incoming(row) for row in rows)
    Quarantined.objects.filter(number__in=[row.number for row in rows]).delete()
    days = Counter(row.received_at.date() for row in rows)
    for day, number in sorted(days.items()):
        uncount(outcome=Outcome.UNREADABLE, day=day, reports=number)  # counted when it is read
    audit.record(
        actor=actor,
        verb="feedback.read_again",
        subject=_intake(min(days)),
        reports=len(rows),
        numbers=[row.number for row in rows[:50]],
    )
    return len(rows)


@transaction.atomic
def delete_quarantined(*, actor: User, report: Quarantined) -> None:
    """Forget a report that nobody will read. It stays counted as set aside."""
    subject = _intake(report.received_at.date())
    audit.record(
        actor=actor,
        verb="feedback.quarantined_deleted",
        subject=subject,
        number=report.number,
        reason=report.reason,
    )
    report.delete()


def _incoming(row: Quarantined) -> Incoming:
    body = bytes(row.body)
    return Incoming(
        server_key=row.server_key,
        number=row.number,
        received_at=row.received_at,
        kind=Kind.SERVER,
        body=body,
        digest=_digest(body),
        deletion_digest=row.deletion_digest,
        country=row.country,
        word_digest=row.word_digest,
    )


def _digest(body: bytes) -> bytes:
    try:
        return digest(unpack(body))
    except ValueError:
        return digest(body)


def _intake(day: dt.date) -> Intake:
    """What the log points to: a report itself carries the key of its server."""
    count_refused(outcome=Outcome.UNREADABLE, day=day, reports=0)
    return Intake.objects.get(day=day, outcome=Outcome.UNREADABLE)
