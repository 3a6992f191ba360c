"""Counting the servers of a week or month in the database: each once, by what it said last."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import connection
from django.db.backends.utils import CursorWrapper

from feedback.facts import CHARACTER_SETS, ENGINES, FEATURES, FLAVOURS, PLUGINS, REPLICATION, TLS
from feedback.labels import ESTABLISHED, FIRST_SEEN, SMALL_OR_UNKNOWN, UNKNOWN
from feedback.plausibility import Doubt

ESTABLISHED_AFTER: Final = dt.timedelta(days=6)
DOUBTED_FOR: Final = dt.timedelta(weeks=13)  # a server can mend its ways
MOST_RESTARTS: Final = 3
ROOM: Final = "256MB"  # for the sorting and hashing of a million servers

Place = tuple[str, str]  # series, system
Parts = dict[Place, Counter[str]]  # the labels of the servers of each place

# Chart -> the column that is counted, and how its values are written.
PARTS: Final[Mapping[str, tuple[str, Callable[[Any], str]]]] = {
    "servers": ("established", lambda is_so: ESTABLISHED if is_so else FIRST_SEEN),
    "architecture": ("architecture", str),
    "country": ("country", lambda code: code or UNKNOWN),
    "processors": ("cpu_bucket", lambda least: str(least or UNKNOWN)),
    "memory": ("memory_bucket", lambda least: str(least or SMALL_OR_UNKNOWN)),
    "uptime": ("uptime_bucket", str),
    "restarts": ("restarts", str),
    "flavour": ("flavour", FLAVOURS.__getitem__),
    "character_set": ("character_set", CHARACTER_SETS.__getitem__),
    "replication": ("replication", REPLICATION.__getitem__),
    "galera": ("galera_nodes", str),
    "tls": ("tls", TLS.__getitem__),
}
# Chart -> the column of bits, and what each of them asks.
QUESTIONS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {
    "feature": ("features", list(FEATURES)),
    "engine": ("engines", ENGINES),
    "plugin": ("plugins", PLUGINS),
}
_DOUBTS: Final = tuple(str(doubt.name).lower() for doubt in Doubt)
GROUPS: Final = {"version": ("series", "version"), "system": ("system", "distribution")}

# One row for a server: what its last full report of the period says, and whether it is
# established, that is, whether it reported again six days or more after its first report and
# nothing spoke against what it said in the last weeks (`plausibility.py`). Most reported again in
# the period itself or the month before it, so that few are looked up further back.
# MATERIALIZED, or each process of a parallel join groups all rows of the period for itself.
_SERVERS: Final = f"""
    CREATE TEMPORARY TABLE feedback_counted ON COMMIT DROP AS
    WITH spoken AS MATERIALIZED (
        SELECT server_key, max(described_at) AS described_at, min(first_at) AS first_at,
               max(last_at) AS last_at, count(*) FILTER (WHERE started) AS starts
        FROM feedback_serverweek WHERE week >= %(start)s AND week < %(end)s
        GROUP BY server_key HAVING max(described_at) IS NOT NULL
    ), suspected AS (
        SELECT server_key, bit_or(doubts) AS doubted FROM feedback_serverweek
        WHERE week >= %(doubted)s AND week < %(end)s AND doubts <> 0 GROUP BY server_key
    )
    SELECT series, version, system, distribution, features, engines, plugins, keys,
           coalesce(doubted, 0) AS doubted,
           {", ".join(c for c, _ in PARTS.values() if c not in {"established", "restarts"})},
           least(starts, {MOST_RESTARTS}) AS restarts,
           doubted IS NULL AND (spoken.last_at >= spoken.first_at + %(established)s
           OR EXISTS (
               SELECT FROM feedback_serverweek AS recent
               WHERE recent.server_key = spoken.server_key AND recent.week < %(start)s
               AND recent.week >= %(recent)s
               AND recent.first_at <= spoken.last_at - %(established)s
           ) OR EXISTS (
               SELECT FROM feedback_serverweek AS earlier
               WHERE earlier.server_key = spoken.server_key AND earlier.week < %(recent)s
               AND earlier.first_at <= spoken.last_at - %(established)s
           )) AS established
    FROM spoken JOIN feedback_serverweek AS facts USING (server_key, described_at)
    LEFT JOIN suspected USING (server_key)
    WHERE facts.week >= %(start)s AND facts.week < %(end)s
"""  # noqa: S608  (names of columns)


@dataclass(slots=True)
class Counted:
    """The servers of a period. Not for publication."""

    places: Counter[Place] = field(default_factory=Counter)
    parts: dict[str, Parts] = field(default_factory=lambda: defaultdict(_parts))
    groups: dict[str, Counter[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    yes: dict[str, dict[str, Counter[Place]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )

    def cells(self) -> Iterator[tuple[str, str, str, int]]:
        """Chart, group, label and servers of every count of one fact."""
        for chart, groups in self.groups.items():
            for (group, label), servers in groups.items():
                yield chart, group, label, servers
        for chart, parts in self.parts.items():
            for label, servers in sum(parts.values(), Counter()).items():
                yield chart, "", label, servers
        for chart, questions in self.yes.items():
            for label, places in questions.items():
                if places:
                    yield chart, "", label, places.total()


def _parts() -> Parts:
    return defaultdict(Counter)


def count(start: dt.date, end: dt.date) -> Counted:
    """Count the servers that described themselves from `start` until before `end`.

    Runs in the transaction of the caller.
    """
    values: dict[str, Any] = {
        "start": start,
        "end": end,
        "recent": start - dt.timedelta(days=35),
        "established": ESTABLISHED_AFTER,
        "doubted": end - DOUBTED_FOR,
    }
    counted = Counted()
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{ROOM}'")
        cursor.execute("DROP TABLE IF EXISTS feedback_counted")
        cursor.execute(_SERVERS, values)
        _count_parts(cursor, counted)
        _count_questions(cursor, counted)
        _count_keys(cursor, counted)
        cursor.execute("DROP TABLE feedback_counted")
        cursor.execute("SET LOCAL work_mem TO DEFAULT")
    return counted


def _count_parts(cursor: CursorWrapper, counted: Counted) -> None:
    """All tables in one pass over the servers."""
    columns = ["series", "system", "version", "distribution", *(c for c, _ in PARTS.values())]
    sets = [", ".join(columns) for columns in GROUPS.values()]
    sets += [f"series, system, {column}" for column, _ in PARTS.values()]
    cursor.execute(
        f"SELECT count(*), {', '.join(f'grouping({name})' for name in columns)},"  # noqa: S608
        f" {', '.join(columns)} FROM feedback_counted"
        f" GROUP BY GROUPING SETS ({', '.join(f'({names})' for names in sets)})"
    )
    names = {column: chart for chart, (column, _) in PARTS.items()}
    for servers, *cells in cursor.fetchall():
        away, values = cells[: len(columns)], cells[len(columns) :]
        row = {c: v for c, v, is_away in zip(columns, values, away, strict=True) if not is_away}
        if "version" in row:
            counted.groups["version"][(row["series"], row["version"])] += servers
        elif "distribution" in row:
            counted.groups["system"][(row["system"], row["distribution"])] += servers
        else:
            [column] = row.keys() - {"series", "system"}
            chart = names[column]
            label = PARTS[chart][1](row[column])
            counted.parts[chart][(row["series"], row["system"])][label] += servers


def _count_questions(cursor: CursorWrapper, counted: Counted) -> None:
    asked = [
        (chart, question, f"count(*) FILTER (WHERE {column} & {1 << bit} <> 0)")
        for chart, (column, questions) in [*QUESTIONS.items(), ("doubt", ("doubted", _DOUBTS))]
        for bit, question in enumerate(questions)
    ]
    cursor.execute(
        f"SELECT series, system, count(*), {', '.join(sql for *_, sql in asked)}"  # noqa: S608
        " FROM feedback_counted GROUP BY series, system"
    )
    for series, system, servers, *answers in cursor.fetchall():
        place = series, system
        counted.places[place] = servers
        for (chart, question, _), yes in zip(asked, answers, strict=True):
            if yes:
                counted.yes[chart][question][place] = yes


def _count_keys(cursor: CursorWrapper, counted: Counted) -> None:
    """What servers use of the variables that staff approved."""
    cursor.execute(
        "SELECT series, system, known.name, count(*)"
        " FROM feedback_counted JOIN feedback_knownkey AS known"
        " ON known.id = ANY (keys) AND known.state = 'approved' GROUP BY 1, 2, 3"
    )
    for series, system, name, servers in cursor.fetchall():
        counted.yes["key"][name][(series, system)] = servers
