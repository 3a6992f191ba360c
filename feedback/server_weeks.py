"""The facts of a server and week: made, and joined with what a further report says."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from django.db import connection

from feedback.catalogue import Released
from feedback.facts import FLAVOURS, OTHER, Facts, Reading
from feedback.models import Period, ServerWeek
from feedback.plausibility import Pulse, doubts, pulse

_FACTS: Final = tuple(field.name for field in fields(Facts))
_PULSE: Final = ("booted_at", "connections", "keys")  # as the last full report says them, too
OUR_FLAVOUR: Final = FLAVOURS.index("mariadb")  # whose releases the catalogue tells
REMEMBERED: Final = dt.timedelta(weeks=5)  # how far back a report is compared
_UNDESCRIBED: Final = Facts(0, "", "", "", "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Told:
    """What one report says of its server."""

    server_key: bytes
    received_at: dt.datetime
    country: str
    reading: Reading
    keys: tuple[int, ...] = ()  # approved names that are in use
    doubts: int = 0
    unreleased: tuple[str, ...] = ()  # its version, where that is why it is doubted

    @property
    def pulse(self) -> Pulse:
        reading = self.reading
        return pulse(self.received_at, uptime=reading.uptime, connections=reading.connections)

    @property
    def week(self) -> dt.date:
        return week_of(self.received_at)


def week_of(at: dt.datetime) -> dt.date:
    """The Monday of a moment, or the first of its month where that is later."""
    day = at.astimezone(dt.UTC).date()
    return max(day - dt.timedelta(days=day.weekday()), day.replace(day=1))


def merge(reports: Iterable[Told]) -> None:
    """Join reports with what is known; their order makes no difference to the facts."""
    with connection.cursor() as cursor:
        cursor.executemany(_MERGE, [list(_values(told)) for told in reports])


def judge(reports: Iterable[Told], out: Released) -> list[Told]:
    """The same reports, oldest first, each with what speaks against it: see `plausibility.py`."""
    order = sorted(reports, key=lambda told: (told.received_at, told.server_key))
    described = [told for told in order if told.reading.facts]
    last = _pulses({told.server_key for told in described}, described[0].week) if described else {}
    judged = []
    for told in order:
        if told.reading.facts:
            now, is_known = told.pulse, _is_known(told.reading.facts, out)
            found = doubts(
                now,
                last.get(told.server_key),
                uptime=told.reading.uptime,
                version_known=is_known,
            )
            ahead = () if is_known else (told.reading.facts.version,)
            last[told.server_key] = max(now, last.get(told.server_key, now), key=lambda p: p.at)
            told = replace(told, doubts=int(found), unreleased=ahead)  # noqa: PLW2901
        judged.append(told)
    return judged


def _is_known(facts: Facts, out: Released) -> bool:
    """Other flavours have numbers of their own, which our catalogue does not tell."""
    if facts.series == OTHER:
        return False
    return facts.flavour != OUR_FLAVOUR or out.has(facts.series, facts.version)


def _pulses(keys: Collection[bytes], week: dt.date) -> dict[bytes, Pulse]:
    """The last pulse of each of these servers in the weeks before and after this one."""
    rows = (
        ServerWeek.objects.described()
        .filter(server_key__in=keys, week__gte=week - REMEMBERED)
        .order_by("server_key", "-week")
        .distinct("server_key")
        .values_list("server_key", "described_at", "booted_at", "connections")
    )
    return {bytes(key): Pulse(at, booted, number) for key, at, booted, number in rows if at}


def touch_periods(weeks: Iterable[dt.date]) -> None:
    """Note that facts of these weeks changed: the last statement of a transaction.

    Later periods have to be counted again too: whether a server is established or doubted there
    follows from what it said before. The rows stay locked until the commit, and a roll-up locks
    them too, so it counts before or after a change and never in between.
    """
    changed = set(weeks)
    starts = {("week", week - dt.timedelta(days=week.weekday())) for week in changed}
    starts |= {("month", week.replace(day=1)) for week in changed}
    if changed:
        later = Period.objects.filter(start__gt=min(changed))
        starts |= set(later.values_list("unit", "start"))
    with connection.cursor() as cursor:
        for unit, start in sorted(starts):
            cursor.execute(
                "INSERT INTO feedback_period AS known (unit, start, changes, counted_changes)"
                " VALUES (%s, %s, 1, 0)"
                " ON CONFLICT (unit, start) DO UPDATE SET changes = known.changes + 1",
                (unit, start),
            )


def _values(told: Told) -> Iterator[Any]:
    at, reading = told.received_at, told.reading
    yield from (told.server_key, told.week, at, at, told.country)
    yield from (reading.started, reading.stopped, at if reading.facts else None)
    yield from asdict(reading.facts or _UNDESCRIBED).values()
    pulse = told.pulse
    yield from (pulse.booted_at, pulse.connections, list(told.keys) or None, told.doubts)
    yield list(told.unreleased) or None


# Whoever tells more versions ahead of their time than this in one week is not believed at all.
_MOST_AHEAD: Final = 10
_AHEAD: Final = (
    f"SELECT CASE WHEN count(*) > {_MOST_AHEAD} THEN ARRAY['{OTHER}']::varchar[]"  # noqa: S608
    " ELSE array_agg(version) END"
    " FROM (SELECT DISTINCT unnest(known.unreleased || excluded.unreleased) AS version) AS told"
)


def _merge_query() -> str:
    table = ServerWeek._meta.db_table
    newer = (
        "excluded.described_at IS NOT NULL AND (known.described_at IS NULL"
        " OR excluded.described_at >= known.described_at)"
    )
    columns = [
        *("server_key", "week", "first_at", "last_at", "country", "started", "stopped"),
        *("described_at", *_FACTS, *_PULSE, "doubts", "unreleased"),
    ]
    updates = [
        "first_at = LEAST(known.first_at, excluded.first_at)",
        "last_at = GREATEST(known.last_at, excluded.last_at)",
        "country = CASE WHEN excluded.country <> ''"
        " AND (known.country = '' OR excluded.last_at >= known.last_at)"
        " THEN excluded.country ELSE known.country END",
        "started = known.started OR excluded.started",
        "stopped = known.stopped OR excluded.stopped",
        "doubts = known.doubts | excluded.doubts",
        f"unreleased = CASE WHEN excluded.unreleased IS NULL THEN known.unreleased ELSE ({_AHEAD})"
        " END",
    ]
    updates += [
        f"{name} = CASE WHEN {newer} THEN excluded.{name} ELSE known.{name} END"
        for name in ("described_at", *_FACTS, *_PULSE)
    ]
    return (
        f"INSERT INTO {table} AS known ({', '.join(columns)})"  # noqa: S608  (names of columns)
        f" VALUES ({', '.join(['%s'] * len(columns))})"
        f" ON CONFLICT (server_key, week) DO UPDATE SET {', '.join(updates)}"
    )


_MERGE: Final = _merge_query()
