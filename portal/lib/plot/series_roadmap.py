"""Support periods of series on a calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from portal.lib.plot.drawing import GLYPH, SMALL, WIDE, Drawing, Text, both


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time. Kinds: supported, candidate, planned, ended."""

    start: dt.date
    end: dt.date
    kind: str = "supported"


@dataclass(frozen=True, slots=True)
class Series:
    """A row of the roadmap: what stands before it, inside it and after it."""

    name: str
    spans: Sequence[Span]
    label: str = ""
    end_label: str = ""


KINDS: Final = {"supported": "f1", "candidate": "f3", "planned": "f5", "ended": "mute"}


def roadmap(text: Text, rows: Sequence[Series], today: dt.date) -> str:
    """When each series is supported; the dashed line is ``today``."""
    spans = [span for row in rows for span in row.spans]
    if not spans:
        return ""
    first = min(today, *(span.start for span in spans)).year
    last = max(today, *(span.end for span in spans)).year + 1

    def draw(small: bool) -> Drawing:
        step = 34 if small else 38
        left = 14 + GLYPH * max(len(row.name) for row in rows)
        size = (SMALL if small else WIDE, 30 + step * len(rows))
        canvas = Drawing(*size, left, 8, 26, 4, small)

        def x(day: dt.date) -> float:
            return left + (canvas.x_end - left) * (_year(day) - first) / (last - first)

        _draw_years(canvas, range(first, last + 1), x)
        places = [(row, canvas.top + step * at + 7) for at, row in enumerate(rows)]
        for row, y in places:
            for span in row.spans:
                canvas.rect(
                    KINDS[span.kind], x(span.start), y, x(span.end) - x(span.start), step - 14
                )
        canvas.line("today", x(today), canvas.top - 6, x(today), canvas.y_end)
        for row, y in places:
            _name_series(canvas, row, y + (step - 14) / 2 + 4.5, x)
        return canvas

    return both(draw, text)


def _year(day: dt.date) -> float:
    start, end = dt.date(day.year, 1, 1), dt.date(day.year + 1, 1, 1)
    return day.year + (day - start).days / (end - start).days


def _draw_years(canvas: Drawing, years: range, x: Callable[[dt.date], float]) -> None:
    room = (canvas.x_end - canvas.left) / max(len(years) - 1, 1)
    every = max(1, ceil(40 / room))
    for year in years:
        at = x(dt.date(year, 1, 1))
        canvas.line("grid", at, canvas.top, at, canvas.y_end)
        if year < years[-1] and (year - years[0]) % every == 0:
            canvas.text(at + 4, 13, year, "axis")


def _name_series(canvas: Drawing, row: Series, base: float, x: Callable[[dt.date], float]) -> None:
    canvas.text(0, base, row.name, "b")
    if canvas.small or not row.spans:
        return
    start, end = x(row.spans[0].start), x(row.spans[-1].end)
    needed = GLYPH * len(f"{row.label}{row.end_label}") + 40
    if row.spans[-1].kind == "supported" and end - start > needed:
        canvas.text(start + 8, base, row.label, "on")
        canvas.text(end - 8, base, row.end_label, "on", "end")
    elif end + GLYPH * len(row.end_label) + 12 < canvas.width:
        canvas.text(end + 8, base, row.end_label, "axis halo")
    else:
        canvas.text(start - 8, base, row.end_label, "axis halo", "end")
