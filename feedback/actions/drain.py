"""Reading what came in: from the inbox to the facts of a server and week."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from feedback import keys, shelf
from feedback.actions.claim import claim_server
from feedback.actions.deletion import delete_server
from feedback.actions.intake import count_refused
from feedback.actions.known_key import note_keys
from feedback.actions.partition import ensure_partitions
from feedback.catalogue import released
from feedback.facts import read
from feedback.models import Incoming, Kind, Outcome, Quarantined, Report, Tombstone
from feedback.packing import unpack
from feedback.parser import NO_IDENTITY, parse
from feedback.server_weeks import Told, judge, merge, touch_periods

BATCH: Final = 500
Key = tuple[bytes, dt.date, bytes]


class UnreadableError(ValueError):
    """A report in which nothing can be found; the text says why."""


@dataclass(frozen=True, slots=True)
class Read:
    """A readable report: its row, its values, and what they tell."""

    row: Incoming
    values: Mapping[str, str]
    told: Told

    @property
    def key(self) -> Key:
        return self.told.server_key, self.told.week, bytes(self.row.digest)


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
    readable = []
    graves, approved = _graves(rows), keys.approved()
    for row in rows:
        until = graves.get(bytes(row.server_key))
        found = Outcome.BURIED if until and row.received_at < until else _look(row, approved)
        if isinstance(found, Read):
            readable.append(found)
        else:
            outcomes[(row.received_at.date(), found)] += 1
    ensure_partitions(report.told.week for report in readable)
    readable.sort(key=lambda report: report.key)  # one order of locks for all workers
    kept = _keep(readable)
    for report, outcome in kept:
        outcomes[(report.row.received_at.date(), outcome)] += 1
    Incoming.objects.filter(number__in=[row.number for row in rows]).delete()
    for (day, outcome), reports in sorted(outcomes.items()):
        count_refused(outcome=outcome, day=day, reports=reports)
    _note([report for report, outcome in kept if outcome is Outcome.COUNTED])
    for report in readable:
        if report.row.word_digest:
            _obey(bytes(report.row.word_digest), report.told)
    touch_periods({report.told.week for report in readable})
    return len(rows)


def _graves(rows: Sequence[Incoming]) -> dict[bytes, dt.datetime]:
    """Which servers among them were deleted, and until when reports of theirs come late."""
    keys = {bytes(row.server_key) for row in rows}
    graves = Tombstone.objects.filter(server_key__in=keys).values_list("server_key", "until")
    return {bytes(key): until for key, until in graves}


def _note(counted: Sequence[Read]) -> None:
    """Note the names in them that we do not know."""
    days = [report.row.received_at.date() for report in counted]
    if days:
        names = keys.unknown(report.values for report in counted)
        note_keys(counted=names, first=min(days), last=max(days))


def _obey(digest: bytes, told: Told) -> None:
    """Do what the administrator of a server made it say."""
    word: dict[str, Any] = {"digest": digest, "server_key": told.server_key, "at": told.received_at}
    if claim_server(**word) is None:
        delete_server(**word)


def _look(row: Incoming, approved: Mapping[str, int]) -> Read | Outcome:
    """The report, or why there is none."""
    if row.kind == Kind.TEST:
        return Outcome.TEST
    if row.kind == Kind.MAXSCALE:
        return Outcome.MAXSCALE
    if bytes(row.server_key) == NO_IDENTITY:
        return Outcome.NO_IDENTITY
    try:
        values = parse(unpack(bytes(row.body)))
        source = (bytes(row.server_key), row.received_at, row.country)
        return Read(row, values, told_by(values, source, approved))
    except Exception as error:  # whatever it is, the next report must be read
        _set_aside(row, error)
        return Outcome.UNREADABLE


def told_by(
    values: Mapping[str, str], source: tuple[bytes, dt.datetime, str], approved: Mapping[str, int]
) -> Told:
    """What a report of a server, moment and country says; UnreadableError when that is nothing."""
    reading = read(values)
    if reading.facts is None and not reading.started and not reading.stopped:
        raise UnreadableError("neither a version nor a startup nor a shutdown is in it")
    return Told(*source, reading, tuple(keys.in_use(values, approved)))


def _set_aside(row: Incoming, error: Exception) -> None:
    Quarantined.objects.create(
        server_key=row.server_key,
        number=row.number,
        received_at=row.received_at,
        reason=f"{type(error).__name__}: {error}"[:200],
        body=row.body,
        deletion_digest=row.deletion_digest,
        country=row.country,
        word_digest=row.word_digest,
    )


def _keep(reports: Sequence[Read]) -> list[tuple[Read, Outcome]]:
    """Store each content once for its server and week; what was new counts for the facts."""
    new = _store(reports) if reports else set()
    outcomes, fresh = [], []
    for report in reports:
        if report.key in new:
            new.discard(report.key)  # the same again in this batch is a repetition
            fresh.append(report.told)
            outcomes.append((report, Outcome.COUNTED))
        else:
            outcomes.append((report, Outcome.REPEATED))
    merge(judge(fresh, released(timezone.now())))
    return outcomes


def _store(reports: Sequence[Read]) -> set[Key]:
    """Insert what is not there yet; the keys of those."""
    kept = shelf.put([report.values for report in reports])
    columns = {
        "server_key": "bytea",
        "week": "date",
        "digest": "bytea",
        "received_at": "timestamptz",
        "deletion_digest": "bytea",
        "country": "text",
        "key_set_id": "bigint",
        "dictionary_id": "bigint",
        "body": "bytea",
    }
    query = (
        f"INSERT INTO {Report._meta.db_table} ({', '.join(columns)})"  # noqa: S608  (constants)
        f" SELECT * FROM unnest({', '.join(f'%s::{kind}[]' for kind in columns.values())})"
        " ON CONFLICT DO NOTHING RETURNING server_key, week, digest"
    )
    rows = [
        (*r.key, r.row.received_at, r.row.deletion_digest, r.row.country, *place)
        for r, place in zip(reports, kept, strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(query, [list(column) for column in zip(*rows, strict=True)])
        return {(bytes(key), week, bytes(digest)) for key, week, digest in cursor.fetchall()}
