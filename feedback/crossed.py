"""Charts within a series, a system, or by a third fact: read from what `crosses.py` lets out.

Only of months that are over: while one runs, a table within a table would show who just came.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from django.db.models import QuerySet

from feedback.breakdowns import Breakdown
from feedback.charts import CHARTS, Chart, is_running
from feedback.crosses import SYSTEM
from feedback.labels import Cell, numbers_of
from feedback.models import CrossCount, Period
from feedback.publication import OTHER

# Charts of what a third fact is told within; all others are third facts.
WITHIN: Final[Mapping[str, str]] = {"series": "series", "systems": "system"}
# The name that a third fact has in addresses -> the count it is made of.
FACTS: Final[Mapping[str, str]] = {
    name: chart.counted
    for name, chart in CHARTS.items()
    if chart.crossed and name not in {*WITHIN, "servers"}
}


@dataclass(frozen=True, slots=True)
class Within:
    """What a chart is narrowed down to: at most two of the three."""

    series: str = ""
    system: str = ""
    fact: str = ""  # of another chart
    label: str = ""
    beyond: bool = False  # asked by more than that

    def __bool__(self) -> bool:
        return bool(self.series or self.system or self.fact or self.beyond)

    def fits(self, chart: str) -> bool:
        """Whether a chart can be told so: by facts that it does not tell itself."""
        if self.beyond:
            return False
        if not CHARTS[chart].crossed:
            return not self
        if chart not in WITHIN:
            return not self.fact
        return not (self.series if chart == "series" else self.system)


def crossed(
    name: str, within: Within, months: Iterable[dt.date], *, at: dt.datetime
) -> dict[dt.date, Breakdown]:
    """A chart, narrowed down, of those of the months that are over; one query."""
    rows = _rows(name, within).filter(
        period__unit=Period.Unit.MONTH,
        period__start__in=[month for month in months if not is_running(month, at)],
    )
    field = _field(name, within)
    sums: dict[dt.date, Counter[str]] = defaultdict(Counter)
    bases: dict[dt.date, Counter[str]] = defaultdict(Counter)
    for month, label, servers, base in rows.values_list("period__start", field, "servers", "base"):
        sums[month][label or OTHER] += servers
        bases[month][label or OTHER] += base
    return {month: _breakdown(name, sums[month], bases[month]) for month in sorted(sums)}


def _field(name: str, within: Within) -> str:
    """The column that holds the labels of a chart."""
    if name == "series":
        return "series"
    return "system" if name == "systems" and within.fact else "label"


def _rows(name: str, within: Within) -> QuerySet[CrossCount]:
    if within.fact:
        rows = CrossCount.objects.filter(chart=FACTS[within.fact], label=within.label)
        if name == "systems":
            rows = rows.exclude(system="")
    else:
        chart = SYSTEM if name in WITHIN else CHARTS[name].counted
        rows = CrossCount.objects.filter(chart=chart)
    if within.series:
        rows = rows.filter(series=within.series)
    if within.system and name == "series" and not within.fact:
        return rows.filter(label=within.system)
    return rows.filter(system=within.system) if within.system else rows


def _breakdown(name: str, sums: Counter[str], bases: Counter[str]) -> Breakdown:
    """Labels as the chart orders them; a question that is asked has a base of its own."""
    chart = CHARTS[name]
    if chart.asks:
        cells = [Cell(label, n, base=bases[label]) for label, n in sums.items()]
        cells.sort(key=lambda cell: (-cell.servers / cell.base if cell.base else 0, cell.label))
        return Breakdown(max(bases.values(), default=0), tuple(cells))
    cells = [Cell(label, servers) for label, servers in sums.items() if servers]
    return Breakdown(sum(sums.values()), tuple(sorted(cells, key=lambda cell: _order(chart, cell))))


def _order(chart: Chart, cell: Cell) -> tuple[int, float, str]:
    """Numbers by themselves, words by their servers, `other` last."""
    if cell.label == OTHER:
        return 2, 0, ""
    if chart.is_range:
        return (0, int(cell.label), "") if cell.label.isdigit() else (1, 0, cell.label)
    return 0, -cell.servers, cell.label


@dataclass(frozen=True, slots=True)
class Choices:
    """What a chart can be narrowed down to in a month."""

    series: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # chart -> labels


def choices(name: str, month: dt.date, *, at: dt.datetime) -> Choices:
    """One query; nothing while the month runs."""
    if not CHARTS[name].crossed or is_running(month, at):
        return Choices()
    rows = CrossCount.objects.filter(period__unit=Period.Unit.MONTH, period__start=month)
    if name in WITHIN:
        return _choices_within(name, rows)
    found = set(rows.filter(chart=CHARTS[name].counted).values_list("series", "system"))
    return Choices(_sorted(s for s, _ in found), _sorted(s for _, s in found))


def _choices_within(name: str, rows: QuerySet[CrossCount]) -> Choices:
    names = {counted: fact for fact, counted in FACTS.items()}
    facts: dict[str, set[str]] = defaultdict(set)
    places: set[tuple[str, str]] = set()
    pairs = rows.filter(servers__gt=0) if name == "series" else rows.exclude(system="")
    for chart, label in pairs.exclude(chart=SYSTEM).values_list("chart", "label").distinct():
        if chart in names:
            facts[names[chart]].add(label)
    places = set(rows.filter(chart=SYSTEM).values_list("series", "label"))
    told = Choices(
        series=_sorted(series for series, _ in places) if name == "systems" else (),
        systems=_sorted(system for _, system in places) if name == "series" else (),
    )
    return replace(told, facts={fact: _sorted(facts[fact]) for fact in FACTS if fact in facts})


def _sorted(labels: Iterable[str]) -> tuple[str, ...]:
    def order(label: str) -> tuple[bool, list[int], str]:
        return label == OTHER, numbers_of(label), label

    return tuple(sorted({label for label in labels if label}, key=order))
