"""Taking reports in, reading them, and forgetting one again."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from django.db import connection, models, transaction
from django.utils import timezone

from feedback import inbox
from feedback.facts import Facts, Reading, read
from feedback.models import (
    RAW_DAYS,
    Incoming,
    Intake,
    Kind,
    Outcome,
    Period,
    Quarantined,
    Report,
    ServerWeek,
    facts_since,
)
from feedback.packing import unpack
from feedback.parser import NO_IDENTITY, parse
from portal.accounts.models import User
from portal.lib import audit

BATCH: Final = 500
_FACTS: Final = tuple(field.name for field in fields(Facts))


class UnreadableError(ValueError):
    """A report in which nothing can be found; the text says why."""


# --- in ------------------------------------------------------------------------------


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


# --- reading -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Read:
    """A readable report with its place in time."""

    row: Incoming
    reading: Reading
    week: dt.date

    @property
    def key(self) -> tuple[bytes, dt.date, bytes]:
        return bytes(self.row.server_key), self.week, bytes(self.row.digest)


@transaction.atomic
def drain_inbox(*, limit: int = BATCH) -> int:
    """Read the oldest reports that nobody else is reading; how many there were.

    A report leaves the inbox in the transaction that keeps its facts, so a killed worker changes
    nothing, and what cannot be read is set aside with the reason and holds up nobody.
    """
    rows = list(Incoming.objects.select_for_update(skip_locked=True).order_by("number")[:limit])
    if not rows:
        return 0
    outcomes: Counter[tuple[dt.date, Outcome]] = Counter()
    readable: list[_Read] = []
    for row in rows:
        outcome = _apart(row)
        if outcome is None:
            try:
                readable.append(_Read(row, _reading(bytes(row.body)), week_of(row.received_at)))
                continue
            except Exception as error:  # whatever it is, the next report must be read
                _set_aside(row, error)
                outcome = Outcome.UNREADABLE
        outcomes[(row.received_at.date(), outcome)] += 1
    readable.sort(key=lambda item: item.key)  # one order of locks for all workers
    new = _keep_reports(readable)
    for item in readable:
        outcome = Outcome.COUNTED if item.key in new else Outcome.REPEATED
        outcomes[(item.row.received_at.date(), outcome)] += 1
        if item.key in new:
            new.discard(item.key)
            _merge(bytes(item.row.server_key), item.week, item.row.received_at, item.reading)
    Incoming.objects.filter(number__in=[row.number for row in rows]).delete()
    for (day, outcome), reports in sorted(outcomes.items()):
        count_refused(outcome=outcome, day=day, reports=reports)
    touch_periods({item.week for item in readable})
    return len(rows)


def week_of(at: dt.datetime) -> dt.date:
    """The Monday of a moment, or the first of its month where that is later."""
    day = at.astimezone(dt.UTC).date()
    return max(day - dt.timedelta(days=day.weekday()), day.replace(day=1))


def _apart(row: Incoming) -> Outcome | None:
    if row.kind == Kind.TEST:
        return Outcome.TEST
    if row.kind == Kind.MAXSCALE:
        return Outcome.MAXSCALE
    return Outcome.NO_IDENTITY if bytes(row.server_key) == NO_IDENTITY else None


def _reading(body: bytes) -> Reading:
    reading = read(parse(unpack(body)))
    if reading.facts is None and not reading.started and not reading.stopped:
        raise UnreadableError("neither a version nor a startup nor a shutdown is in it")
    return reading


def _set_aside(row: Incoming, error: Exception) -> None:
    Quarantined.objects.create(
        server_key=row.server_key,
        number=row.number,
        received_at=row.received_at,
        reason=f"{type(error).__name__}: {error}"[:200],
        body=row.body,
        deletion_digest=row.deletion_digest,
    )


def _keep_reports(items: Sequence[_Read]) -> set[tuple[bytes, dt.date, bytes]]:
    """Store each content once for its server and week; the keys of those that are new."""
    columns = ("server_key", "week", "digest", "received_at", "body", "deletion_digest")
    query = (
        f"INSERT INTO {Report._meta.db_table} ({', '.join(columns)})"  # noqa: S608
        " SELECT * FROM unnest(%s::bytea[], %s::date[], %s::bytea[], %s::timestamptz[],"
        " %s::bytea[], %s::bytea[]) ON CONFLICT DO NOTHING RETURNING server_key, week, digest"
    )
    values = [
        (*item.key, item.row.received_at, item.row.body, item.row.deletion_digest) for item in items
    ]
    with connection.cursor() as cursor:
        cursor.execute(query, [list(column) for column in zip(*values, strict=True)] or [[]] * 6)
        return {(bytes(key), week, bytes(digest)) for key, week, digest in cursor.fetchall()}


def _merge_query() -> str:
    """Insert a week of a server, or join what is known with what a further report says."""
    table = ServerWeek._meta.db_table
    newer = (
        "excluded.described_at IS NOT NULL AND (known.described_at IS NULL"
        " OR excluded.described_at >= known.described_at)"
    )
    columns = [
        *("server_key", "week", "month", "first_at", "last_at", "started", "stopped"),
        *("described_at", *_FACTS),
    ]
    updates = [
        "first_at = LEAST(known.first_at, excluded.first_at)",
        "last_at = GREATEST(known.last_at, excluded.last_at)",
        "started = known.started OR excluded.started",
        "stopped = known.stopped OR excluded.stopped",
    ]
    updates += [
        f"{name} = CASE WHEN {newer} THEN excluded.{name} ELSE known.{name} END"
        for name in ("described_at", *_FACTS)
    ]
    return (
        f"INSERT INTO {table} AS known ({', '.join(columns)})"  # noqa: S608
        f" VALUES ({', '.join(['%s'] * len(columns))})"
        f" ON CONFLICT (server_key, week) DO UPDATE SET {', '.join(updates)}"
    )


_MERGE: Final = _merge_query()
_UNDESCRIBED: Final = Facts("", "", "", "", "", "", "", 0, 0, 0, 0, 0)


def _merge(server_key: bytes, week: dt.date, at: dt.datetime, reading: Reading) -> None:
    values: list[Any] = [server_key, week, week.replace(day=1), at, at]
    values += [reading.started, reading.stopped, at if reading.facts else None]
    values += asdict(reading.facts or _UNDESCRIBED).values()
    with connection.cursor() as cursor:
        cursor.execute(_MERGE, values)


def touch_periods(weeks: Iterable[dt.date]) -> None:
    """Note that facts of these weeks changed: the last statement of a transaction.

    The rows stay locked until the commit, and a roll-up locks them too, so it counts before or
    after a change and never in between.
    """
    starts = {(Period.Unit.WEEK, week - dt.timedelta(days=week.weekday())) for week in weeks}
    starts |= {(Period.Unit.MONTH, week.replace(day=1)) for week in weeks}
    with connection.cursor() as cursor:
        for unit, start in sorted(starts):
            cursor.execute(
                "INSERT INTO feedback_period AS known (unit, start, changes, counted_changes)"
                " VALUES (%s, %s, 1, 0)"
                " ON CONFLICT (unit, start) DO UPDATE SET changes = known.changes + 1",
                (unit.value, start),
            )


# --- out -----------------------------------------------------------------------------


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


@transaction.atomic
def forget_old(*, at: dt.datetime) -> int:
    """Delete raw reports after 90 days and facts after 25 months; counts stay. How many rows."""
    raw = at - dt.timedelta(days=RAW_DAYS)
    kinds: list[type[models.Model]] = [Report, Quarantined]
    deleted = sum(kind._default_manager.filter(received_at__lt=raw).delete()[0] for kind in kinds)
    return deleted + ServerWeek.objects.filter(month__lt=facts_since(at)).delete()[0]


def _rebuild(server_key: bytes, week: dt.date) -> None:
    ServerWeek.objects.filter(server_key=server_key, week=week).delete()
    reports = Report.objects.filter(server_key=server_key, week=week).order_by("received_at")
    for report in reports:
        _merge(server_key, week, report.received_at, _reading(bytes(report.body)))
