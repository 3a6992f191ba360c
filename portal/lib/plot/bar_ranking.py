"""Horizontal bars, each with its number and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portal.lib.plot.drawing import GLYPH, SMALL, WIDE, Drawing, Text, both


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a ranking; ``low`` and ``high`` draw the interval."""

    label: str
    value: float
    text: str
    tone: int = 1
    low: float | None = None
    high: float | None = None


def ranking(text: Text, bars: Sequence[Bar]) -> str:
    """Horizontal bars from zero in the order given, each with its number and its interval."""
    if not bars:
        return ""
    reach = max(max(bar.value, bar.high or 0) for bar in bars) or 1

    def draw(small: bool) -> Drawing:
        step = 46 if small else 32
        numbers = 14 + GLYPH * max(len(bar.text) for bar in bars)
        names = 0 if small else min(16 + GLYPH * max(len(bar.label) for bar in bars), 340)
        width = SMALL if small else WIDE
        canvas = Drawing(width, step * len(bars) + 6, names, numbers, 4, 2, small)
        scale = (canvas.x_end - canvas.left) / reach
        for at, bar in enumerate(bars):
            _draw_bar(canvas, bar, canvas.top + step * at + (18 if small else 6), scale)
        return canvas

    return both(draw, text)


def _draw_bar(canvas: Drawing, bar: Bar, y: float, scale: float) -> None:
    middle = y + 9
    if canvas.small:
        canvas.text(0, y - 5, bar.label)
    else:
        canvas.text(0, middle + 4.5, bar.label)
    canvas.rect(f"f{bar.tone}", canvas.left, y, bar.value * scale, 18)
    if bar.low is not None and bar.high is not None:
        low, high = canvas.left + bar.low * scale, canvas.left + bar.high * scale
        canvas.line("whisker", low, middle, high, middle)
        for edge in (low, high):
            canvas.line("whisker", edge, middle - 5, edge, middle + 5)
    end = canvas.left + max(bar.value, bar.high or 0) * scale
    canvas.text(end + 8, middle + 4.5, bar.text, "b")
