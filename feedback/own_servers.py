"""What the owner of claimed servers sees of them: private, and exact."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Max, Q

from feedback import shelf
from feedback.catalogue import series_ends
from feedback.facts import (
    CHARACTER_SETS,
    ENGINES,
    FEATURES,
    FLAVOURS,
    PLUGINS,
    REPLICATION,
    TLS,
)
from feedback.labels import numbers_of
from feedback.models import ClaimedServer, Report, ServerWeek
from feedback.plausibility import Doubt

WEEKS: Final = 13  # in which starts are counted
SILENT_AFTER: Final = dt.timedelta(days=9)  # servers report weekly
UNTOLD: Final = frozenset({"pk", "server_key"})  # told once, for all weeks


@dataclass(frozen=True, slots=True)
class OwnServer:
    """A claimed server, what it said last, and how often it started lately."""

    claimed: ClaimedServer
    week: ServerWeek | None  # the last one in which a full report came
    last_at: dt.datetime | None
    weeks_with_start: int
    end: dt.date | None  # of the support of its series
    ended: bool
    silent: bool

    @property
    def series(self) -> str:
        """Empty until a full report came."""
        return self.week.series if self.week else ""


def own_servers(claimed: Collection[ClaimedServer], *, at: dt.datetime) -> list[OwnServer]:
    """The servers as they are listed; three queries whatever their number."""
    keys = [bytes(server.server_key) for server in claimed]
    weeks = ServerWeek.objects.filter(server_key__in=keys)
    latest = {
        bytes(week.server_key): week
        for week in weeks.described().order_by("server_key", "-week").distinct("server_key")
    }
    since = (at - dt.timedelta(weeks=WEEKS)).date()
    starts = Count("week", filter=Q(started=True, week__gte=since))
    spoken = weeks.values_list("server_key").annotate(last=Max("last_at"), starts=starts)
    told = {bytes(key): (last_at, number) for key, last_at, number in spoken}
    ends = series_ends()
    return [_own(server, latest, told, ends, at) for server in claimed]


def _own(
    claimed: ClaimedServer,
    latest: dict[bytes, ServerWeek],
    told: dict[bytes, tuple[dt.datetime, int]],
    ends: Mapping[str, dt.date | None],
    at: dt.datetime,
) -> OwnServer:
    key = bytes(claimed.server_key)
    week = latest.get(key)
    last_at, starts = told.get(key, (None, 0))
    end = ends.get(week.series) if week else None
    ended = end is not None and end <= at.date()
    silent = last_at is None or last_at < at - SILENT_AFTER
    return OwnServer(claimed, week, last_at, starts, end, ended, silent)


@dataclass(frozen=True, slots=True)
class OwnSeries:
    """The servers of one's own that run a series."""

    name: str
    servers: int
    started: int  # in the last weeks
    end: dt.date | None
    ended: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """All servers of one's own at a glance, however many pages their list has."""

    servers: int
    ended: int
    started: int
    silent: int
    series: tuple[OwnSeries, ...]


def overview(servers: Collection[OwnServer]) -> Overview:
    """By series, the oldest first: it ends first."""
    groups: dict[str, list[OwnServer]] = defaultdict(list)
    for server in servers:
        groups[server.series].append(server)
    return Overview(
        len(servers),
        sum(server.ended for server in servers),
        sum(server.weeks_with_start > 0 for server in servers),
        sum(server.silent for server in servers),
        tuple(_series(name, groups[name]) for name in sorted(groups, key=numbers_of) if name),
    )


def _series(name: str, servers: Sequence[OwnServer]) -> OwnSeries:
    started = sum(server.weeks_with_start > 0 for server in servers)
    return OwnSeries(name, len(servers), started, servers[0].end, servers[0].ended)


HEAD: Final = (
    *("name", "server", "version", "ended", "system", "architecture"),
    *("last_report", "weeks_with_start", "claimed"),
)


def rows(servers: Iterable[OwnServer]) -> list[tuple[object, ...]]:
    """The list as lines of `HEAD`."""
    return [
        (
            server.claimed.name,
            server.claimed.short_key,
            server.week.version if server.week else "",
            "yes" if server.ended else "no",
            server.week.distribution if server.week else "",
            server.week.architecture if server.week else "",
            server.last_at.isoformat() if server.last_at else "",
            server.weeks_with_start,
            server.claimed.claimed_at.isoformat(),
        )
        for server in servers
    ]


def everything_kept(server: ClaimedServer) -> dict[str, Any]:
    """All that is kept of a server, for its owner."""
    key = bytes(server.server_key)
    weeks = ServerWeek.objects.filter(server_key=key).order_by("week")
    reports = Report.objects.filter(server_key=key).order_by("received_at")
    return {
        "server": key.hex(),
        "weeks": [_facts(week) for week in weeks],
        "reports": [
            {"received_at": report.received_at.isoformat(), "values": values}
            for report, values in shelf.take(reports)
        ],
    }


# What is stored as a place in a table, or as bits of one.
PLACES: Final[Mapping[str, Sequence[str]]] = {
    "flavour": FLAVOURS,
    "character_set": CHARACTER_SETS,
    "replication": REPLICATION,
    "tls": TLS,
}
BITS: Final[Mapping[str, Sequence[str]]] = {
    "features": list(FEATURES),
    "engines": ENGINES,
    "plugins": PLUGINS,
    "doubts": [str(doubt.name).lower() for doubt in Doubt],
}


def _facts(week: ServerWeek) -> dict[str, Any]:
    names = [field.name for field in ServerWeek._meta.fields if field.name not in UNTOLD]
    return {name: _told(name, getattr(week, name)) for name in names}


def _told(name: str, value: Any) -> Any:
    """In words, where a number stands for one."""
    if name in PLACES:
        return PLACES[name][value]
    if name in BITS:
        return [word for bit, word in enumerate(BITS[name]) if value & 1 << bit]
    return value.isoformat() if isinstance(value, dt.date) else value
