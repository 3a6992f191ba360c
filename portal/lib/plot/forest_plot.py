"""Ratios with their intervals on a log axis around 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from portal.lib.plot.drawing import GLYPH, SMALL, WIDE, Drawing, Text, both


@dataclass(frozen=True, slots=True)
class Ratio:
    """An estimate with its interval on a log axis around 1; all three are positive.

    Without an interval the three are the same. ``shown`` says whether a difference counts as
    shown; by default it does when the interval leaves out 1.
    """

    label: str
    low: float
    value: float
    high: float
    higher_is_better: bool = True
    shown: bool | None = None

    @property
    def tone(self) -> int:
        """1 better, 3 worse, 5 nothing shown: the interval touches the reference."""
        shown = not self.low <= 1 <= self.high if self.shown is None else self.shown
        if not shown:
            return 5
        return 1 if (self.low > 1) == self.higher_is_better else 3


def forest(text: Text, ratios: Sequence[Ratio]) -> str:
    """Intervals on a log axis around 1; one that touches 1 is hollow and grey."""
    if not ratios:
        return ""
    low = min(0.8, *(ratio.low for ratio in ratios)) * 0.96
    high = max(1.25, *(ratio.high for ratio in ratios)) * 1.04
    ticks = _ratio_ticks(low, high)

    def draw(small: bool) -> Drawing:
        step, top = (50, 26) if small else (34, 30)
        names = 16 + GLYPH * max(len(ratio.label) for ratio in ratios)
        sides = (14.0, 14.0) if small else (min(names, 340), 150.0)
        height = top + step * len(ratios) + (8 if small else 2)
        canvas = Drawing(SMALL if small else WIDE, height, *sides, top, 2, small)

        def x(value: float) -> float:
            width = canvas.x_end - canvas.left
            return canvas.left + width * (log(value) - log(low)) / (log(high) - log(low))

        for tick in ticks:
            canvas.line("zero" if tick == 1 else "grid", x(tick), top - 6, x(tick), canvas.y_end)
            canvas.text(x(tick), 14, f"{tick:g}×", "axis", "middle")
        for at, ratio in enumerate(ratios):
            _draw_ratio(canvas, ratio, top + step * at + (34 if small else step / 2), x)
        return canvas

    return both(draw, text)


def _ratio_ticks(low: float, high: float) -> list[float]:
    """1 and at most two round ratios on each side that lie inside the axis."""
    below = [t for t in (0.9, 0.8, 0.5, 0.25, 0.1, 0.05, 0.01) if t > low]
    above = [t for t in (1.1, 1.25, 1.5, 2.0, 4.0, 10.0, 20.0, 100.0) if t < high]
    below, above = below[-1:], [t for n, t in enumerate(reversed(above)) if n in {0, 2}]
    return sorted([*below, 1.0, *above])


def _draw_ratio(canvas: Drawing, ratio: Ratio, y: float, x: Callable[[float], float]) -> None:
    tone, shown = ratio.tone, f"{ratio.value:.2f}×"
    if canvas.small:
        canvas.text(0, y - 14, ratio.label, "b halo")
        canvas.text(canvas.width, y - 14, shown, "halo", "end")
    else:
        canvas.text(0, y + 4.5, ratio.label)
        interval = "" if ratio.low == ratio.high else f"{ratio.low:.2f}–{ratio.high:.2f}"
        canvas.pair(canvas.x_end + 16, y + 4.5, shown, interval, "axis")
    if ratio.low < ratio.high:
        canvas.line(f"line c{tone}", x(ratio.low), y, x(ratio.high), y)
        for edge in (ratio.low, ratio.high):
            canvas.line(f"line c{tone}", x(edge), y - 5, x(edge), y + 5)
    canvas.dot("hollow c5" if tone == 5 else f"f{tone}", x(ratio.value), y, 5)
