"""Forgetting a report that its sender wants back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from feedback import inbox, keys, shelf
from feedback.actions.drain import told_by
from feedback.actions.intake import count_refused, uncount
from feedback.catalogue import released
from feedback.models import Incoming, Intake, Outcome, Quarantined, Report, ServerWeek
from feedback.server_weeks import judge, merge, touch_periods
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def withdraw_report(*, actor: User | None, code: str) -> bool:
    """Forget the report that was sent by hand and got this code; whether there was one.

    The facts of its server and week are made again from the reports that remain.
    """
    digest = inbox.deletion_digest(code)
    days = [*_forget_unread(digest), *_forget_read(digest)]
    if not days:
        return False
    for day in days:
        count_refused(outcome=Outcome.WITHDRAWN, day=day)
    intake = Intake.objects.get(day=days[0], outcome=Outcome.WITHDRAWN)
    audit.record(actor=actor, verb="feedback.report_withdrawn", subject=intake, reports=len(days))
    return True


def _forget_unread(digest: bytes) -> Iterator[dt.date]:
    """Delete what waits or was set aside; the days on which it came."""
    for row in Incoming.objects.filter(deletion_digest=digest).select_for_update():
        yield row.received_at.date()
        row.delete()
    for aside in Quarantined.objects.filter(deletion_digest=digest).select_for_update():
        uncount(outcome=Outcome.UNREADABLE, day=aside.received_at.date())
        yield aside.received_at.date()
        aside.delete()


def _forget_read(digest: bytes) -> Iterator[dt.date]:
    """Delete what was counted, with what follows from it; the days on which it came."""
    for report in list(Report.objects.filter(deletion_digest=digest).select_for_update()):
        key, week = bytes(report.server_key), report.week
        report.delete()
        _rebuild(key, week)
        touch_periods([week])
        uncount(outcome=Outcome.COUNTED, day=report.received_at.date())
        yield report.received_at.date()


def _rebuild(server_key: bytes, week: dt.date) -> None:
    ServerWeek.objects.filter(server_key=server_key, week=week).delete()
    reports = Report.objects.filter(server_key=server_key, week=week).order_by("received_at")
    approved = keys.approved()
    told = judge(
        (
            told_by(values, (server_key, report.received_at, report.country), approved)
            for report, values in shelf.take(reports)
        ),
        released(timezone.now()),
    )
    merge(told)
