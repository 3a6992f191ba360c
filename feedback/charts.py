"""The published numbers: counts of months, after `publication.py` hid what is small.

Pages, JSON and CSV read from here and from `crossed.py`, and nothing else reads the counts. To add
a chart: a line in CHARTS, and where the roll-up does not count it yet, a line in `counting.py`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from feedback import breakdowns
from feedback.breakdowns import Breakdown, Counted
from feedback.catalogue import BEHIND, NEWEST, Catalogue
from feedback.facts import MOST_MEMORY, MOST_PROCESSORS, UPTIME_DAYS
from feedback.labels import (
    ENDED,
    SUPPORTED,
    UNKNOWN,
    Cell,
    country_label,
    galera_label,
    label_of,
    range_label,
    restarts_label,
    steps_label,
)
from feedback.models import Count, KnownKey, Period

MONTHS: Final = 24  # of a chart over time
SETTLED_AFTER: Final = dt.timedelta(days=10)
Rule = Callable[[Counted, str], Breakdown]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a stable address: its title, the count it is made of, how it is published."""

    title: str | Promise
    counted: str
    rule: Rule
    label: Callable[[Cell], str] = label_of  # how pages write its labels
    note: str | Promise = ""
    crossed: bool = True  # whether it is told within a series and a system, too
    follows: bool = False  # from another chart and the release catalogue

    @property
    def asks(self) -> bool:
        """Whether its cells are questions, which each server answers for itself."""
        return self.rule is breakdowns.answers

    @property
    def is_range(self) -> bool:
        """Whether its labels are numbers, which stand in their order."""
        return self.rule is breakdowns.ranges


CHARTS: Final[Mapping[str, Chart]] = {
    "servers": Chart(
        _("Servers"),
        "servers",
        breakdowns.established,
        note=_("Established is who reported again six days or more after its first report."),
    ),
    "series": Chart(_("Series"), "version", breakdowns.groups),
    "versions": Chart(_("Patch releases"), "version", breakdowns.inside, crossed=False),
    "support": Chart(
        _("Support of the series"),
        "version",
        breakdowns.groups,
        note=_("Whether the release catalogue says that the series was supported in the month."),
        crossed=False,
        follows=True,
    ),
    "lag": Chart(
        _("Upgrade lag"),
        "version",
        breakdowns.inside,
        note=_("Newer patch releases of the same series that were out at the end of the month."),
        crossed=False,
        follows=True,
    ),
    "systems": Chart(_("Operating system"), "system", breakdowns.groups),
    "distributions": Chart(_("System releases"), "system", breakdowns.inside, crossed=False),
    "architectures": Chart(_("Architecture"), "architecture", breakdowns.plain),
    "countries": Chart(
        _("Country"),
        "country",
        breakdowns.plain,
        country_label,
        _("Told by the network address a report comes from, which is then forgotten."),
    ),
    "processors": Chart(
        _("Processors"), "processors", breakdowns.ranges, range_label(MOST_PROCESSORS)
    ),
    "memory": Chart(_("Memory in GB"), "memory", breakdowns.ranges, range_label(MOST_MEMORY)),
    "uptime": Chart(
        _("Days since the last start"),
        "uptime",
        breakdowns.ranges,
        steps_label(UPTIME_DAYS),
        _("As the last full report of the month says."),
    ),
    "restarts": Chart(
        _("Restarts"),
        "restarts",
        breakdowns.ranges,
        restarts_label,
        _("Weeks of the month in which a server reported that it had started."),
    ),
    "replication": Chart(_("Replication"), "replication", breakdowns.plain),
    "galera": Chart(_("Nodes of a Galera cluster"), "galera", breakdowns.ranges, galera_label),
    "tls": Chart(
        _("TLS for clients"),
        "tls",
        breakdowns.plain,
        note=_("The library that encrypts, where encryption is switched on."),
    ),
    "flavours": Chart(_("Edition"), "flavour", breakdowns.plain),
    "character-sets": Chart(_("Character set of the server"), "character_set", breakdowns.plain),
    "features": Chart(
        _("Features in use"),
        "feature",
        breakdowns.answers,
        note=_("Used at least once since the server started."),
    ),
    "engines": Chart(
        _("Storage engines"),
        "engine",
        breakdowns.answers,
        note=_("Engines with at least one open table."),
    ),
    "plugins": Chart(
        _("Plugins"),
        "plugin",
        breakdowns.answers,
        note=_("Loaded; what every server has built in is left out."),
    ),
    "names": Chart(
        _("Newer variables in use"),
        "key",
        breakdowns.answers,
        note=_("Names that staff approved after they appeared in reports."),
        crossed=False,
    ),
    "doubts": Chart(_("Servers in doubt"), "doubt", breakdowns.answers, crossed=False),
}
_LAGS: Final = (NEWEST, *BEHIND, UNKNOWN)


@dataclass(slots=True)
class Board:
    """The counts of some months, read with one query; exact for months that are over at `at`."""

    at: dt.datetime
    months: dict[dt.date, Counted] = field(default_factory=dict)
    catalogue: Catalogue = field(default_factory=Catalogue)

    def show(self, name: str, month: dt.date) -> Breakdown:
        chart = CHARTS[name]
        breakdown = chart.rule(self.months.get(month, {}), chart.counted)
        if is_running(month, self.at):
            breakdown = breakdown.about()
        if chart.follows:
            day = min(month_before(month, -1) - dt.timedelta(days=1), self.at.date())
            return _FOLLOWING[name](breakdown, self.catalogue, day)
        return breakdown

    def over_time(self, chart: str) -> dict[dt.date, Breakdown]:
        """Month by month, from the first month in which something may be shown."""
        shown = {month: self.show(chart, month) for month in sorted(self.months)}
        first = next((month for month, breakdown in shown.items() if breakdown.base), None)
        return {month: breakdown for month, breakdown in shown.items() if first and month >= first}


def _supported(series: Breakdown, catalogue: Catalogue, day: dt.date) -> Breakdown:
    """What is shown of the series, by what the catalogue says of each."""

    def state(cell: Cell) -> str:
        if cell.label not in catalogue.ends:
            return UNKNOWN
        return ENDED if catalogue.is_ended(cell.label, day) else SUPPORTED

    return _summed(series, state, (SUPPORTED, ENDED, UNKNOWN))


def _lagging(versions: Breakdown, catalogue: Catalogue, day: dt.date) -> Breakdown:
    """What is shown of the patch releases, by how many newer ones were out."""

    def lag(cell: Cell) -> str:
        patch = cell.label.removeprefix(f"{cell.group}.")
        behind = catalogue.lag(cell.group, int(patch), day) if patch.isdigit() else None
        return UNKNOWN if behind is None else _LAGS[min(behind, len(BEHIND))]

    return _summed(versions, lag, _LAGS)


def _summed(shown: Breakdown, name: Callable[[Cell], str], names: Iterable[str]) -> Breakdown:
    """Sums of cells that are shown give nothing away that these do not."""
    sums = dict.fromkeys(names, 0)
    for cell in shown.cells:
        sums[name(cell)] += cell.servers
    return replace(shown, cells=tuple(Cell(*item) for item in sums.items() if item[1]))


_FOLLOWING: Final = {"support": _supported, "lag": _lagging}


def board(
    which: Q,
    *,
    months: Iterable[dt.date],
    at: dt.datetime,
    catalogue: Catalogue | None = None,
) -> Board:
    """The counts of computed months that `which` chooses; every month asked for has a place."""
    found: dict[dt.date, defaultdict[str, defaultdict[str, dict[str, int]]]] = {
        month: defaultdict(lambda: defaultdict(dict)) for month in months
    }
    told = ~Q(chart="key") | Q(label__in=KnownKey.objects.approved().values("name"))
    rows = Count.objects.filter(
        which & told, period__unit=Period.Unit.MONTH, period__start__in=list(found)
    ).values_list("period__start", "chart", "group", "label", "servers")
    for month, chart, group, label, servers in rows:
        found[month][chart][group][label] = servers
    return Board(at, dict(found), catalogue or Catalogue())


def needed(name: str) -> Q:
    """The counts that a chart is made of."""
    parts = [chart for chart, _ in breakdowns.ASKED_TWICE.values()] if CHARTS[name].asks else []
    return Q(chart__in=["servers", CHARTS[name].counted, *parts])


def is_running(month: dt.date, at: dt.datetime) -> bool:
    """Until a day after its end, when its last reports have been counted."""
    return at.date() <= month_before(month, -1)


def first_shown(months: Sequence[dt.date], at: dt.datetime) -> dt.date | None:
    """Of months, newest first: the latest, or the one before it while servers, which report
    weekly, still come in.
    """
    settled = [month for month in months if at.date() >= month + SETTLED_AFTER]
    return next(iter(settled or months), None)


def month_before(month: dt.date, months: int = 1) -> dt.date:
    """The first day of the month so many months earlier."""
    number = month.year * 12 + month.month - 1 - months
    return dt.date(number // 12, number % 12 + 1, 1)
