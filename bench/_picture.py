"""Ratios against peers as a picture: one row each on a logarithmic axis, domains apart. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import ceil, floor, log10
from typing import Final

WIDTH: Final = 960
NAMES: Final = 500  # where the axis begins
END: Final = WIDTH - 84
ROW: Final = 22
HEAD: Final = 34
LEGEND: Final = 30
LONGEST: Final = 74  # characters of a name that stand beside the axis
INK: Final = "#1f2933"
LINE: Final = "#c5ced6"
CLOCK: Final = "#0b5cad"
PROCESSOR: Final = "#a34700"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many times as long a peer took, by the clock and by processor time."""

    domain: str
    name: str
    clock: float
    processor: float


def picture(rows: Sequence[Comparison]) -> str:
    """An SVG with a white ground: it is read in documents, which may be dark."""
    groups = [(name, list(found)) for name, found in groupby(rows, key=lambda one: one.domain)]
    height = LEGEND + sum(HEAD + ROW * len(found) for _name, found in groups) + 30
    low, high = _ends(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="{INK}" role="img">',
        "<title>How many times as long the peers took</title>",
        "<desc>One row for each peer; the numbers stand in the tables of the page.</desc>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *_axis(low, high, height),
    ]
    top = LEGEND
    for name, found in groups:
        parts.append(f'<text x="10" y="{top + 22}" font-weight="bold">{escape(name)}</text>')
        top += HEAD
        for row in found:
            parts += _row(row, top, low, high)
            top += ROW
    return "\n".join([*parts, "</svg>\n"])


def _ends(rows: Sequence[Comparison]) -> tuple[int, int]:
    """Whole powers of ten around all ratios, and around 1."""
    ratios = [1.0, *(value for one in rows for value in (one.clock, one.processor))]
    return min(floor(log10(min(ratios))), -1), max(ceil(log10(max(ratios))), 1)


def _at(ratio: float, low: int, high: int) -> float:
    return round(NAMES + (END - NAMES) * (log10(ratio) - low) / (high - low), 1)


def _axis(low: int, high: int, height: int) -> Iterator[str]:
    yield (
        f'<circle cx="16" cy="18" r="5" fill="{CLOCK}"/><text x="28" y="22">by the clock</text>'
        f'<circle cx="136" cy="18" r="4" fill="#ffffff" stroke="{PROCESSOR}" stroke-width="2"/>'
        '<text x="148" y="22">by processor time; right of 1 we are quicker</text>'
    )
    for power in range(low, high + 1):
        x, stroke = _at(10.0**power, low, high), INK if power == 0 else LINE
        yield f'<path d="M{x} {LEGEND}V{height - 22}" stroke="{stroke}"/>'
        yield f'<text x="{x}" y="{height - 8}" text-anchor="middle">{10.0**power:g}×</text>'


def _row(row: Comparison, top: int, low: int, high: int) -> Iterator[str]:
    name = row.name if len(row.name) <= LONGEST else f"{row.name[: LONGEST - 1]}…"
    middle = top + ROW // 2
    yield f'<text x="10" y="{middle + 4}">{escape(name)}</text>'
    yield (
        f'<circle cx="{_at(row.processor, low, high)}" cy="{middle}" r="4" fill="#ffffff" '
        f'stroke="{PROCESSOR}" stroke-width="2"/>'
    )
    yield f'<circle cx="{_at(row.clock, low, high)}" cy="{middle}" r="5" fill="{CLOCK}"/>'
    yield f'<text x="{WIDTH - 6}" y="{middle + 4}" text-anchor="end">{row.clock:.3g}×</text>'
