"""What the statistics page shows of one month, asked with five queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, Sum
from django.db.models.functions import TruncMonth

from feedback import plots
from feedback.breakdowns import Breakdown
from feedback.catalogue import catalogue
from feedback.charts import (
    CHARTS,
    MONTHS,
    Board,
    board,
    first_shown,
    is_running,
    month_before,
)
from feedback.labels import ENDED, ESTABLISHED, FIRST_SEEN, SUPPORTED, UNKNOWN
from feedback.models import Intake, Outcome, Period

YEAR: Final = 12

RUN_CHARTS: Final = (
    *("replication", "galera", "tls", "uptime", "restarts", "flavours", "character-sets"),
)
# Charts that the page shows and in which groups may be too small; sums of them are left out.
HIDING: Final = (
    *("versions", "distributions", "architectures", "processors", "memory", "countries"),
    *("features", "engines", "plugins"),
    *RUN_CHARTS,
)
LEFT_OUT: Final = (
    Outcome.REPEATED,
    Outcome.TEST,
    Outcome.MAXSCALE,
    Outcome.NO_IDENTITY,
    Outcome.UNREADABLE,
    Outcome.BURIED,
    Outcome.WITHDRAWN,
)
REFUSED: Final = (
    Outcome.TOO_LARGE,
    Outcome.MALFORMED,
    Outcome.TOO_OFTEN,
    Outcome.NETWORK,
    Outcome.STRANGER,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what it counts, its share, and the change in percentage points."""

    label: str
    servers: int
    percent: float
    change: float | None = None
    ended: bool = False


def context(*, month: dt.date | None, at: dt.datetime) -> dict[str, Any]:
    """Everything for one month, or the latest that has settled; empty without any."""
    periods = list(Period.objects.months().reverse())
    known = {period.start: period for period in periods}
    chosen = month if month in known else first_shown(list(known), at)
    period = known[chosen] if chosen else None
    if period is None:
        return {"periods": [], "base": 0}
    now, year_ago = period.start, month_before(period.start, YEAR)
    drawn = [start for start in known if month_before(now, MONTHS) < start <= now]
    known_releases = catalogue(at)
    shown = board(
        Q(period__start__in=[now, year_ago]) | Q(chart__in=["servers", "version"]),
        months=[*drawn, year_ago],
        at=at,
        catalogue=known_releases,
    )
    ended = known_releases.ended(at.date())
    return {
        "periods": periods,
        "period": period,
        "running": is_running(now, at),
        "last_day": min(period.end - dt.timedelta(days=1), at.date()),
        "base": shown.show("series", now).base,
        "figures": _figures(shown, now),
        **_series(shown, now, ended),
        **{name: _lines(shown, name, now) for name in ("systems", "distributions")},
        **{name: _lines(shown, name, now) for name in ("architectures", "processors", "memory")},
        "countries": _lines(shown, "countries", now) if _knows_countries(shown, now) else [],
        "features": _lines(shown, "features", now, compare=year_ago),
        "names": _lines(shown, "names", now),
        **{name: _lines(shown, name, now, compare=year_ago) for name in ("engines", "plugins")},
        "run_charts": [
            {"name": name, "title": CHARTS[name].title, "note": CHARTS[name].note, "lines": lines}
            for name in RUN_CHARTS
            if (lines := _lines(shown, name, now))
        ],
        "hidden": sum(shown.show(name, now).hidden for name in HIDING),
        "intake": intake(period),
    }


def _knows_countries(shown: Board, month: dt.date) -> bool:
    """Whether any country is told, which needs a database of the operator."""
    return any(cell.label != UNKNOWN for cell in shown.show("countries", month).cells)


def _figures(shown: Board, month: dt.date) -> dict[str, Any]:
    servers, features = shown.show("servers", month), shown.show("features", month)
    return {
        "established": servers.servers(ESTABLISHED),
        "servers": servers.base,
        "month_change": _growth(shown, month, month_before(month)),
        "year_change": _growth(shown, month, month_before(month, YEAR)),
        **_support(shown.show("support", month)),
        "replication": features.percent(features.servers("replication")),
        "galera": features.percent(features.servers("Galera")),
        "tls": features.percent(features.servers("TLS")),
    }


def _support(told: Breakdown) -> dict[str, float | None]:
    """Shares of the chart beside them; nothing while the catalogue knows no series that is told."""
    states = {SUPPORTED: "supported", ENDED: "ended", UNKNOWN: "support_unknown"}
    if not any(told.servers(state) for state in (SUPPORTED, ENDED)):
        return dict.fromkeys(states.values())
    return {name: told.percent(told.servers(state) or 0) for state, name in states.items()}


def _growth(shown: Board, month: dt.date, before: dt.date) -> float | None:
    """Percent by which the servers grew since an earlier month."""
    if is_running(month, shown.at):  # not all of its servers have reported yet
        return None
    now, then = (shown.show("servers", at).base for at in (month, before))
    return 100 * (now - then) / then if now and then else None


def _series(shown: Board, month: dt.date, ended: Collection[str]) -> dict[str, Any]:
    servers, series = shown.over_time("servers"), shown.over_time("series")
    return {
        "servers_plot": plots.servers_plot(servers),
        "servers_table": [
            (at, b.servers(ESTABLISHED), b.servers(FIRST_SEEN), b.base)
            for at, b in reversed(servers.items())
        ],
        "series_plot": plots.series_plot(series, ended),
        "gaps": [cell.label for cell in plots.with_gaps(series)],
        "series": _lines(shown, "series", month, ended=ended),
        "versions": _lines(shown, "versions", month),
        "support": _lines(shown, "support", month),
        "lag": _lines(shown, "lag", month),
    }


def _lines(
    shown: Board,
    chart: str,
    month: dt.date,
    *,
    compare: dt.date | None = None,
    ended: Collection[str] = (),
) -> list[Line]:
    breakdown = shown.show(chart, month)
    before = shown.show(chart, compare) if compare else None
    return [
        Line(
            CHARTS[chart].label(cell),
            cell.servers,
            breakdown.percent(cell.servers) or 0.0,
            _change(breakdown, before, cell.label),
            cell.label in ended,
        )
        for cell in breakdown.cells
    ]


def _change(breakdown: Breakdown, before: Breakdown | None, label: str) -> float | None:
    """Percentage points by which the share of a label grew."""
    now = breakdown.percent(breakdown.servers(label))
    then = before.percent(before.servers(label)) if before else None
    return None if now is None or then is None else now - then


def intake(period: Period) -> dict[str, Any]:
    """What became of the reports of a month, as a sum that adds up."""
    return intakes([period])[period.start]


def intakes(months: Collection[Period]) -> dict[dt.date, dict[str, Any]]:
    """The same of several months; one query."""
    days = Q(day__gte=min(month.start for month in months), day__lt=max(m.end for m in months))
    rows = Intake.objects.filter(days).values_list(TruncMonth("day"), "outcome")
    found: dict[dt.date, dict[str, int]] = {month.start: {} for month in months}
    for month, outcome, reports in rows.annotate(total=Sum("reports")).order_by():
        if month in found:
            found[month][outcome] = reports
    return {month: _sum(outcomes) for month, outcomes in found.items()}


def _sum(found: Mapping[str, int]) -> dict[str, Any]:
    less = [(outcome.label, found[outcome]) for outcome in LEFT_OUT if found.get(outcome)]
    read = sum(n for outcome, n in found.items() if outcome not in REFUSED)
    refused = [(outcome.label, found[outcome]) for outcome in REFUSED if found.get(outcome)]
    counted = read - sum(n for _, n in less)
    return {"received": read, "less": less, "counted": counted, "refused": refused}
