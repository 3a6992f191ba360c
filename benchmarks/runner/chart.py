"""Medians with their intervals as a picture, a panel for each case, on logarithmic axes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 960
NAMES: Final = 450  # where the axis begins
LONG: Final = 2.2  # powers of ten
SHORT: Final = 0.5
ROW: Final = 20
HEAD: Final = 44
INK: Final = "#1f2933"
LINE: Final = "#c5ced6"
DOT: Final = "#0b5cad"


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    marks: Sequence[Mark]

    @property
    def height(self) -> int:
        return HEAD + ROW * len(self.marks) + 26


def chart(panels: Sequence[Panel]) -> str:
    """An SVG with a white ground: it is read in documents, which may be dark."""
    height = sum(panel.height for panel in panels) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="{INK}" role="img">',
        "<title>Medians of process medians with 95 % intervals</title>",
        "<desc>One panel for each case; the numbers stand in the tables of the report.</desc>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    top = 0
    for panel in panels:
        parts += _panel(panel, top)
        top += panel.height
    return "\n".join([*parts, "</svg>\n"])


def _panel(panel: Panel, top: int) -> Iterator[str]:
    low, high = _ends(panel)
    bottom = top + HEAD + ROW * len(panel.marks)
    bold = 'font-size="15" font-weight="bold"'
    yield f'<text x="12" y="{top + 26}" {bold}>{escape(panel.title)}</text>'
    for tick in _ticks(low, high):
        x = _x(tick, low, high)
        yield f'<line x1="{x}" x2="{x}" y1="{top + HEAD - 8}" y2="{bottom}" stroke="{LINE}"/>'
        yield f'<text x="{x}" y="{bottom + 15}" text-anchor="middle">{tick:,.6g}</text>'
    for at, mark in enumerate(panel.marks):
        yield from _mark(mark, top + HEAD + ROW * at + ROW // 2 - 4, low, high)


def _mark(mark: Mark, y: int, low: float, high: float) -> Iterator[str]:
    left, right = _x(mark.low, low, high), _x(mark.high, low, high)
    yield f'<text x="{NAMES - 12}" y="{y + 4}" text-anchor="end">{escape(mark.name)}</text>'
    yield f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="{DOT}" stroke-width="3"/>'
    yield f'<circle cx="{_x(mark.median, low, high)}" cy="{y}" r="4.5" fill="{DOT}"/>'


def _ends(panel: Panel) -> tuple[float, float]:
    """A little more than everything, never nothing."""
    low = log10(min(mark.low for mark in panel.marks))
    high = log10(max(mark.high for mark in panel.marks))
    room = max(0.05, (high - low) * 0.06)
    return low - room, high + room


def _x(value: float, low: float, high: float) -> float:
    return round(NAMES + (log10(value) - low) / (high - low) * (WIDTH - NAMES - 40), 1)


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten that lie within; fewer on a long axis, more on a short."""
    digits: Sequence[int] = (1, 2, 5) if high - low < LONG else (1,)
    if high - low < SHORT:
        digits = range(1, 10)
    every = [digit * 10.0**power for power in range(floor(low), ceil(high) + 1) for digit in digits]
    return [tick for tick in every if low <= log10(tick) <= high]
