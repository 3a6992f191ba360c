"""What the statistics page shows of one month, asked with four queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, Sum

from feedback import plots
from feedback.charts import (
    ESTABLISHED,
    FIRST_SEEN,
    MONTHS,
    Board,
    Breakdown,
    Cell,
    board,
    is_running,
    label_of,
    month_before,
)
from feedback.models import Intake, Outcome, Period
from releases.models import Series

YEAR: Final = 12
FOLD_BEYOND: Final = 8

LEFT_OUT: Final = (
    Outcome.REPEATED,
    Outcome.TEST,
    Outcome.MAXSCALE,
    Outcome.NO_IDENTITY,
    Outcome.UNREADABLE,
    Outcome.WITHDRAWN,
)
REFUSED: Final = (Outcome.TOO_LARGE, Outcome.MALFORMED)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what it counts, its share, and the change in percentage points."""

    label: str
    servers: int
    percent: float
    change: float | None = None
    ended: bool = False


def context(*, month: dt.date | None, at: dt.datetime) -> dict[str, Any]:
    """Everything for one month, the latest counted one by default; empty without any."""
    periods = list(Period.objects.months().reverse())
    period = next((p for p in periods if p.start == month), None) if month else None
    period = period or next(iter(periods), None)
    if period is None:
        return {"periods": [], "base": 0}
    now, year_ago = period.start, month_before(period.start, YEAR)
    known = [p.start for p in periods if month_before(now, MONTHS) < p.start <= now]
    shown = board(
        Q(period__start__in=[now, year_ago]) | Q(chart__in=["servers", "version"]),
        months=[*known, year_ago],
        at=at,
    )
    ended = ended_series(at=at.date())
    return {
        "periods": periods,
        "period": period,
        "running": is_running(now, at),
        "last_day": min(period.end - dt.timedelta(days=1), at.date()),
        "base": shown.show("series", now).base,
        "figures": _figures(shown, now, ended),
        **_series(shown, now, ended),
        **{name: _lines(shown, name, now) for name in ("systems", "distributions")},
        "architectures": _lines(shown, "architectures", now),
        "features": _lines(shown, "features", now, compare=year_ago),
        "engines": _lines(shown, "engines", now, compare=year_ago),
        "hidden": sum(shown.show(name, now).hidden for name in ("versions", "distributions"))
        + sum(shown.show(name, now).hidden for name in ("architectures", "features", "engines")),
        "intake": intake(period),
    }


def ended_series(*, at: dt.date) -> frozenset[str]:
    """Series of the main product whose support has ended, as the catalogue says."""
    mine = Series.objects.filter(product__slug=settings.DEFAULT_PRODUCT)
    return frozenset(mine.ended(at).values_list("name", flat=True))


def _figures(shown: Board, month: dt.date, ended: Collection[str]) -> dict[str, Any]:
    servers, series = shown.show("servers", month), shown.show("series", month)
    features = shown.show("features", month)
    known = [cell for cell in series.cells if cell.label[0].isdigit()]
    past = sum(cell.servers for cell in known if cell.label in ended)
    return {
        "established": servers.servers(ESTABLISHED),
        "servers": servers.base,
        "month_change": _growth(shown, month, month_before(month)),
        "year_change": _growth(shown, month, month_before(month, YEAR)),
        "ended": series.percent(past) if ended else None,
        "supported": series.percent(series.base - past) if ended else None,
        "replication": features.percent(features.servers("replication")),
        "galera": features.percent(features.servers("Galera")),
        "tls": features.percent(features.servers("TLS")),
    }


def _growth(shown: Board, month: dt.date, before: dt.date) -> float | None:
    """Percent by which the servers grew since an earlier month."""
    now, then = (shown.show("servers", at).base for at in (month, before))
    return 100 * (now - then) / then if now and then else None


def _series(shown: Board, month: dt.date, ended: Collection[str]) -> dict[str, Any]:
    servers = shown.over_time("servers")
    return {
        "servers_plot": plots.servers_plot(servers),
        "servers_table": [
            (at, b.servers(ESTABLISHED), b.servers(FIRST_SEEN), b.base)
            for at, b in reversed(servers.items())
        ],
        "series_plot": plots.series_plot(shown.over_time("series"), ended),
        "series": _lines(shown, "series", month, ended=ended),
        "versions": _lines(shown, "versions", month),
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
    return [_line(cell, breakdown, before, ended) for cell in breakdown.cells]


def _line(
    cell: Cell, breakdown: Breakdown, before: Breakdown | None, ended: Collection[str]
) -> Line:
    share = breakdown.percent(cell.servers) or 0.0
    old = before.percent(before.servers(cell.label)) if before else None
    change = None if old is None else share - old
    return Line(label_of(cell), cell.servers, share, change, cell.label in ended)


def intake(period: Period) -> dict[str, Any]:
    """What became of the reports of a period, as a sum that adds up."""
    rows = Intake.objects.filter(day__gte=period.start, day__lt=period.end)
    found: Mapping[str, int] = dict(
        rows.values_list("outcome").annotate(total=Sum("reports")).order_by()
    )
    less = [(outcome.label, found[outcome]) for outcome in LEFT_OUT if outcome in found]
    read = sum(n for outcome, n in found.items() if outcome not in {*REFUSED, Outcome.WITHDRAWN})
    refused = [(outcome.label, found[outcome]) for outcome in REFUSED if outcome in found]
    counted = read - sum(n for _, n in less)
    return {"received": read, "less": less, "counted": counted, "refused": refused}
