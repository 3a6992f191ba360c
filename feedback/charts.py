"""The published numbers: counts of months, after `publication.py` hid what is small.

Pages, JSON and CSV read from here, and nothing else reads the counts. To add a chart: a line in
CHARTS, and where the roll-up does not count it yet, its cells in `actions/rollup.py`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from feedback.models import Count, Period
from feedback.publication import (
    OTHER,
    SMALLEST,
    publish,
    publish_groups,
    publish_yes,
    round_down,
)

MONTHS: Final = 24  # of a chart over time
ESTABLISHED: Final = "established"
FIRST_SEEN: Final = "first seen"
SERVERS: Final = "servers"

# chart -> group -> label -> servers, as the roll-up counted them
Counted = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A label with its servers, and the group it stands in."""

    label: str
    servers: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What is shown of one chart in one month; `base` is what percentages are taken of."""

    base: int
    cells: tuple[Cell, ...] = ()
    hidden: int = 0
    rounded_to: int = 1  # tens while the month runs

    def about(self) -> Breakdown:
        """The same while the month runs: in tens, and without how many cells are hidden."""
        cells = tuple(replace(cell, servers=round_down(cell.servers)) for cell in self.cells)
        return Breakdown(round_down(self.base), cells, rounded_to=SMALLEST)

    @property
    def is_split(self) -> bool:
        """Whether established and first-seen servers may be told apart."""
        return self.servers(ESTABLISHED) is not None

    def servers(self, label: str) -> int | None:
        """The servers of a label; None when it is not shown."""
        return next((cell.servers for cell in self.cells if cell.label == label), None)

    def percent(self, servers: int | None) -> float | None:
        return None if servers is None or not self.base else 100 * servers / self.base


def _total(counted: Counted) -> int:
    total = sum(counted.get("servers", {}).get("", {}).values())
    return total if total >= SMALLEST else 0


def _plain(counted: Counted, chart: str) -> Breakdown:
    published = publish(counted.get(chart, {}).get("", {}))
    cells = tuple(Cell(label, servers) for label, servers in published.cells.items())
    return Breakdown(published.base, cells, published.hidden)


def _groups(counted: Counted, chart: str) -> Breakdown:
    sums = {group: sum(labels.values()) for group, labels in counted.get(chart, {}).items()}
    published = publish(sums)
    cells = tuple(Cell(label, servers) for label, servers in published.cells.items())
    return Breakdown(published.base, cells, published.hidden)


def _inside(counted: Counted, chart: str) -> Breakdown:
    published = publish_groups(counted.get(chart, {}))
    cells = tuple(
        Cell(label, servers, group)
        for group, inside in published.items()
        for label, servers in inside.cells.items()
    )
    hidden = sum(inside.hidden for inside in published.values())
    return Breakdown(sum(cell.servers for cell in cells), cells, hidden)


def _servers(counted: Counted) -> Breakdown:
    """Established and first-seen servers; only their sum where one of them is a small group."""
    total = _total(counted)
    split = counted.get("servers", {}).get("", {})
    established, first_seen = split.get(ESTABLISHED, 0), split.get(FIRST_SEEN, 0)
    if not total:
        return Breakdown(0)
    if publish_yes(established, total) is None:
        return Breakdown(total, (Cell(SERVERS, total),), hidden=2)
    return Breakdown(total, (Cell(ESTABLISHED, established), Cell(FIRST_SEEN, first_seen)))


def _yes(counted: Counted, chart: str) -> Breakdown:
    """Questions that each server answers for itself: the base is all servers."""
    base = _total(counted)
    asked = counted.get(chart, {}).get("", {}) if base else {}
    shown = {label: publish_yes(servers, base) for label, servers in asked.items()}
    known = {label: servers for label, servers in shown.items() if servers is not None}
    cells = [Cell(*item) for item in sorted(known.items(), key=lambda cell: (-cell[1], cell[0]))]
    return Breakdown(base, tuple(cells), len(shown) - len(known))


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a stable address: its title, the count it is made of, how it is published."""

    title: str | Promise
    counted: str
    breakdown: Callable[[Counted], Breakdown]


CHARTS: Final[Mapping[str, Chart]] = {
    "servers": Chart(_("Servers"), "servers", _servers),
    "series": Chart(_("Series"), "version", lambda counted: _groups(counted, "version")),
    "versions": Chart(_("Patch releases"), "version", lambda counted: _inside(counted, "version")),
    "systems": Chart(_("Operating system"), "system", lambda counted: _groups(counted, "system")),
    "distributions": Chart(
        _("System releases"), "system", lambda counted: _inside(counted, "system")
    ),
    "architectures": Chart(
        _("Architecture"), "architecture", lambda counted: _plain(counted, "architecture")
    ),
    "features": Chart(_("Features in use"), "feature", lambda counted: _yes(counted, "feature")),
    "engines": Chart(_("Storage engines"), "engine", lambda counted: _yes(counted, "engine")),
}


@dataclass(slots=True)
class Board:
    """The counts of some months, read with one query; exact for months that are over at `at`."""

    at: dt.datetime
    months: dict[dt.date, Counted] = field(default_factory=dict)

    def show(self, chart: str, month: dt.date) -> Breakdown:
        breakdown = CHARTS[chart].breakdown(self.months.get(month, {}))
        return breakdown.about() if is_running(month, self.at) else breakdown

    def over_time(self, chart: str) -> dict[dt.date, Breakdown]:
        """Month by month, from the first month in which something may be shown."""
        shown = {month: self.show(chart, month) for month in sorted(self.months)}
        first = next((month for month, breakdown in shown.items() if breakdown.base), None)
        return {month: breakdown for month, breakdown in shown.items() if first and month >= first}


def board(which: Q, *, months: Iterable[dt.date], at: dt.datetime) -> Board:
    """The counts of computed months that `which` chooses; every month asked for has a place."""
    found: dict[dt.date, defaultdict[str, defaultdict[str, dict[str, int]]]] = {
        month: defaultdict(lambda: defaultdict(dict)) for month in months
    }
    rows = Count.objects.filter(
        which, period__unit=Period.Unit.MONTH, period__start__in=list(found)
    ).values_list("period__start", "chart", "group", "label", "servers")
    for month, chart, group, label, servers in rows:
        found[month][chart][group][label] = servers
    return Board(at, dict(found))


def is_running(month: dt.date, at: dt.datetime) -> bool:
    """Until a day after its end, when its last reports have been counted."""
    return at.date() <= month_before(month, -1)


def month_before(month: dt.date, months: int = 1) -> dt.date:
    """The first day of the month so many months earlier."""
    number = month.year * 12 + month.month - 1 - months
    return dt.date(number // 12, number % 12 + 1, 1)


LABELS: Final[Mapping[str, str | Promise]] = {
    OTHER: _("other"),
    ESTABLISHED: _("established"),
    FIRST_SEEN: _("first seen"),
    SERVERS: _("servers"),
    "RHEL and kin": _("RHEL and kin"),
    "Linux, other": _("Linux, other"),
    "check constraints": _("Check constraints"),
    "dynamic columns": _("Dynamic columns"),
    "full-text search": _("Full-text search"),
    "spatial data": _("Spatial data"),
    "insert returning": _("INSERT … RETURNING"),
    "invisible columns": _("Invisible columns"),
    "JSON functions": _("JSON functions"),
    "subqueries": _("Subqueries"),
    "system versioning": _("System versioning"),
    "application periods": _("Application-time periods"),
    "time zones": _("Time zones"),
    "triggers": _("Triggers"),
    "window functions": _("Window functions"),
    "XML functions": _("XML functions"),
    "custom aggregates": _("Custom aggregates"),
    "partitions": _("Partitions"),
    "replication": _("Replication"),
    "semi-synchronous replication": _("Semi-synchronous replication"),
    "TLS": _("TLS for clients"),
    "binary log": _("Binary log"),
    "event scheduler": _("Event scheduler"),
    "performance schema": _("Performance schema"),
    "thread pool": _("Thread pool"),
    "encrypted tables": _("Encrypted tables"),
}


def label_of(cell: Cell) -> str:
    """How a page writes the label of a cell."""
    word = str(LABELS.get(cell.label, cell.label))
    if cell.label == OTHER and cell.group not in {"", OTHER}:
        group = LABELS.get(cell.group, cell.group)
        return str(_("%(group)s, others")) % {"group": group}
    return word


def plain_label(cell: Cell) -> str:
    """The same for machines: never translated."""
    if cell.label == OTHER and cell.group not in {"", OTHER}:
        return f"{cell.group} {OTHER}"
    return cell.label
