"""Forgetting a report that its sender wants back."""

from __future__ import annotations

import datetime as dt

from django.db import models, transaction
from django.utils import timezone

from feedback import inbox, keys, shelf
from feedback.actions.drain import told_by
from feedback.actions.intake import count_refused
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
    waiting: list[type[models.Model]] = [Incoming, Quarantined]
    deleted = sum(
        kind._default_manager.filter(deletion_digest=digest).delete()[0] for kind in waiting
    )
    for report in list(Report.objects.filter(deletion_digest=digest).select_for_update()):
        key, week = bytes(report.server_key), report.week
        report.delete()
        _rebuild(key, week)
        touch_periods([week])
        deleted += 1
    if not deleted:
        return False
    today = timezone.now().date()
    count_refused(outcome=Outcome.WITHDRAWN, day=today)
    intake = Intake.objects.get(day=today, outcome=Outcome.WITHDRAWN)
    audit.record(actor=actor, verb="feedback.report_withdrawn", subject=intake, reports=deleted)
    return True


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
