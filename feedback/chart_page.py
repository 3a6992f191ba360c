"""One chart on a page of its own: a month, another to compare with, a unit, what it is within."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from feedback import plots
from feedback.breakdowns import Breakdown
from feedback.catalogue import catalogue
from feedback.charts import (
    CHARTS,
    MONTHS,
    board,
    first_shown,
    is_running,
    month_before,
    needed,
)
from feedback.crossed import Choices, Within, choices, crossed
from feedback.labels import Cell
from feedback.models import Period

SERVERS: Final = "servers"
PERCENT: Final = "percent"
UNITS: Final = (PERCENT, SERVERS)


@dataclass(frozen=True, slots=True)
class Selection:
    """What the address asks for; nothing of it needs to exist."""

    chart: str
    month: dt.date | None = None
    compare: dt.date | None = None
    unit: str = PERCENT
    within: Within = field(default_factory=Within)

    def query(self, **other: str) -> str:
        """The part of an address that asks for the same, with something else instead."""
        fact = f"{self.within.fact}:{self.within.label}" if self.within.fact else ""
        asked = {
            "month": f"{self.month:%Y-%m}" if self.month else "",
            "compare": f"{self.compare:%Y-%m}" if self.compare else "",
            "unit": self.unit if self.unit != PERCENT else "",
            "series": self.within.series,
            "system": self.within.system,
            "with": fact,
        }
        found = urlencode({name: text for name, text in (asked | other).items() if text})
        return f"?{found}" if found else ""


@dataclass(frozen=True, slots=True)
class Row:
    """A label in the month and in the one it is compared with."""

    label: str
    servers: int | None
    percent: float | None
    servers_then: int | None = None
    percent_then: float | None = None

    @property
    def change(self) -> int | None:
        if self.servers is None or self.servers_then is None:
            return None
        return self.servers - self.servers_then

    @property
    def points(self) -> float | None:
        """The change of the share in percentage points."""
        if self.percent is None or self.percent_then is None:
            return None
        return self.percent - self.percent_then


def over_time(
    name: str, within: Within, months: list[dt.date], *, at: dt.datetime
) -> dict[dt.date, Breakdown]:
    """A chart of these months, oldest first: at most three queries."""
    if within:
        return crossed(name, within, months, at=at) if within.fits(name) else {}
    known = catalogue(at) if CHARTS[name].follows else None
    return board(needed(name), months=months, at=at, catalogue=known).over_time(name)


def computed_months() -> list[dt.date]:
    return list(Period.objects.months().reverse().values_list("start", flat=True))


def context(asked: Selection, *, at: dt.datetime) -> dict[str, Any]:
    """Everything on the page of a chart: at most five queries."""
    known = computed_months()
    usable = [m for m in known if not is_running(m, at)] if asked.within else known
    month = asked.month if asked.month in usable else first_shown(usable, at)
    compare = asked.compare if asked.compare in usable and asked.compare != month else None
    drawn = [m for m in known if month and month_before(month, MONTHS) < m <= month]
    wanted = [*drawn, *([compare] if compare and compare not in drawn else [])]
    shown = over_time(asked.chart, asked.within, wanted, at=at)
    now = shown.get(month) if month else None
    then = shown.get(compare) if compare else None
    chart = CHARTS[asked.chart]
    drawn_of = {m: b for m, b in shown.items() if m in drawn}
    return {
        "chart": chart,
        "asked": asked,
        "within": _words(asked.within),
        "fact": f"{asked.within.fact}:{asked.within.label}" if asked.within.fact else "",
        "months": usable,
        "month": month,
        "unfinished": asked.month if asked.month in known and asked.month not in usable else None,
        "compare": compare,
        "unit": asked.unit,
        "running": bool(month and is_running(month, at)),
        "now": now,
        "then": then,
        "rows": _rows(now, then, chart.label) if now else [],
        "choices": _options(_choices(asked, month, at)),
        "plot": draw(asked, drawn_of),
        "gaps": [chart.label(cell) for cell in plots.with_gaps(drawn_of)],
        "is_told": asked.within.fits(asked.chart),
    }


def _words(within: Within) -> list[tuple[str, str]]:
    """What a chart is narrowed down to: the fact and its label, as pages write them."""
    named = [("series", within.series), ("systems", within.system), (within.fact, within.label)]
    return [
        (str(CHARTS[name].title), CHARTS[name].label(Cell(label, 0)))
        for name, label in named
        if label
    ]


def _rows(now: Breakdown, then: Breakdown | None, label: Callable[[Cell], str]) -> list[Row]:
    """As the month orders them; what is shown in the other month alone comes last."""
    cells = {(cell.group, cell.label): cell for cell in now.cells}
    before = {(cell.group, cell.label): cell for cell in then.cells} if then else {}
    rows = []
    for key in [*cells, *(key for key in before if key not in cells)]:
        cell, old = cells.get(key), before.get(key)
        named = cell or old
        if named is not None:
            rows.append(
                Row(label(named), *_numbers(now, cell), *(_numbers(then, old) if then else ()))
            )
    return rows


def _numbers(shown: Breakdown, cell: Cell | None) -> tuple[int | None, float | None]:
    return (cell.servers, shown.share(cell)) if cell else (None, None)


def _choices(asked: Selection, month: dt.date | None, at: dt.datetime) -> Choices:
    """While the month runs, those of the month before it, which is what they lead to."""
    if month is None:
        return Choices()
    return choices(asked.chart, month_before(month) if is_running(month, at) else month, at=at)


@dataclass(frozen=True, slots=True)
class Group:
    """The labels of one fact, as a list to choose from: what the address says, and words."""

    title: str
    options: tuple[tuple[str, str], ...]


def _options(found: Choices) -> dict[str, Any]:
    def options(name: str, labels: Iterable[str], prefix: str = "") -> tuple[tuple[str, str], ...]:
        words = CHARTS[name].label
        return tuple((f"{prefix}{label}", words(Cell(label, 0))) for label in labels)

    return {
        "series": options("series", found.series),
        "systems": options("systems", found.systems),
        "facts": [
            Group(str(CHARTS[name].title), options(name, labels, f"{name}:"))
            for name, labels in found.facts.items()
        ],
    }


def draw(asked: Selection, shown: Mapping[dt.date, Breakdown]) -> str:
    """The chart over time, in the unit that is asked for."""
    if asked.chart == "servers" and not asked.within and asked.unit == SERVERS:
        return plots.servers_plot(shown)
    chart = CHARTS[asked.chart]
    return plots.labels_plot(str(chart.title), shown, chart.label, in_percent=asked.unit == PERCENT)
