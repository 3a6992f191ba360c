"""The drawings of the statistics page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from feedback.breakdowns import Breakdown
from feedback.labels import ESTABLISHED, FIRST_SEEN, LABELS, SERVERS, Cell, numbers_of
from feedback.publication import OTHER
from portal.lib.plot import Line, Share, Text, lines, stack

SHOWN_SERIES = 5
SHOWN_LINES = 5  # as many as there are tones


def month_label(month: dt.date) -> str:
    return date_format(month, "M y")


def thousands(value: float) -> str:
    """184207 as 184 k: an axis has room for little."""
    if value >= 10_000:
        return f"{number_format(round(value / 1000), 0)} k"
    return number_format(round(value), 0, force_grouping=True)


def percent(value: float) -> str:
    return f"{number_format(round(value), 0)} %"


def servers_plot(shown: Mapping[dt.date, Breakdown]) -> str:
    """Servers by month: established and first seen, or all where these may not be told apart."""
    months = list(shown.values())
    if not months:
        return ""
    split = [(ESTABLISHED, 1), (FIRST_SEEN, 5)]
    drawn = [
        Line(str(LABELS[label]), [month.servers(label) for month in months], tone)
        for label, tone in split
    ]
    if not all(month.is_split for month in months):
        drawn = [Line(str(LABELS[SERVERS]), [month.base for month in months], 1)]
    title = _("Servers that reported, by month")
    first, last = months[0].base, months[-1].base
    said = _("From %(first)s servers to %(last)s.") % {
        "first": number_format(first, 0, force_grouping=True),
        "last": number_format(last, 0, force_grouping=True),
    }
    names = [month_label(month) for month in shown]
    return lines(Text(title, said), names, drawn, words=thousands, area=True)


def series_plot(shown: Mapping[dt.date, Breakdown], ended: Collection[str]) -> str:
    """Shares of the most used series, newest at the bottom; what has ended is grey."""
    if not shown:
        return ""
    latest = list(shown.values())[-1]
    named = [cell.label for cell in latest.cells if cell.label != OTHER][:SHOWN_SERIES]
    named.sort(key=numbers_of, reverse=True)
    bands = [
        Share(name, _shares(shown, name), _shade(at, name, len(named), ended))
        for at, name in enumerate(named)
    ]
    rest = [100 - sum(band.values[at] for band in bands) for at in range(len(shown))]
    if any(value > 0.05 for value in rest):
        bands.append(Share(str(LABELS[OTHER]), [max(value, 0) for value in rest], 6))
    title = _("Share of each series among the servers of a month")
    said = ", ".join(f"{band.name} {percent(band.values[-1])}" for band in bands)
    return stack(Text(title, said), [month_label(m) for m in shown], bands, words=percent)


def labels_plot(
    title: str,
    shown: Mapping[dt.date, Breakdown],
    label: Callable[[Cell], str],
    *,
    in_percent: bool,
) -> str:
    """The largest labels of the last month, each a line: its share, or its servers."""
    if not shown:
        return ""
    months = list(shown.values())
    drawn = [
        Line(label(cell), [_value(month, cell, in_percent=in_percent) for month in months], tone)
        for tone, cell in enumerate(_largest(shown), 1)
    ]
    words = percent if in_percent else thousands
    said = ", ".join(f"{line.name} {words(line.values[-1] or 0)}" for line in drawn)
    names = [month_label(month) for month in shown]
    return lines(Text(title, said), names, drawn, words=words)


def with_gaps(shown: Mapping[dt.date, Breakdown]) -> list[Cell]:
    """Of the labels that are drawn: those that are not told in each of the months."""
    months = shown.values()
    return [
        cell
        for cell in _largest(shown)
        if cell.label != OTHER
        and any(_value(month, cell, in_percent=False) is None for month in months)
    ]


def _largest(shown: Mapping[dt.date, Breakdown]) -> list[Cell]:
    """What there is room for in a drawing, by the last month."""
    cells = list(shown.values())[-1].cells if shown else ()
    return sorted(cells, key=lambda cell: -cell.servers)[:SHOWN_LINES]


def _value(month: Breakdown, like: Cell, *, in_percent: bool) -> float | None:
    found = (c for c in month.cells if (c.group, c.label) == (like.group, like.label))
    cell = next(found, None)
    if cell is None:
        return None
    return month.share(cell) if in_percent else cell.servers


def _shares(shown: Mapping[dt.date, Breakdown], name: str) -> list[float]:
    return [month.percent(month.servers(name)) or 0.0 for month in shown.values()]


def _shade(at: int, name: str, count: int, ended: Collection[str]) -> int:
    return 5 if name in ended else min(1 + at, 4 if count > 1 else 1)
