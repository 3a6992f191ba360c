"""Shares over ordered labels, as bands that fill 100 percent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from portal.lib.plot.drawing import (
    GLYPH,
    SMALL,
    WIDE,
    Drawing,
    Text,
    across,
    both,
    labels_below,
    number,
    spread,
)


@dataclass(frozen=True, slots=True)
class Share:
    """A band of a stack, in percent of the whole for each label."""

    name: str
    values: Sequence[float]
    shade: int = 1


def stack(
    text: Text,
    labels: Sequence[str],
    shares: Sequence[Share],
    *,
    words: Callable[[float], str],
    height: int = 300,
) -> str:
    """Bands that fill 100 percent, bottom to top. ``words`` writes a percentage."""
    if not labels or not shares:
        return ""

    def draw(small: bool) -> Drawing:
        names = GLYPH * max(len(f"{words(s.values[-1])} {s.name}") for s in shares)
        right = min(names + 18, 120 if small else 260)
        width, tall = (SMALL, height * 0.87) if small else (WIDE, height)
        canvas = Drawing(width, tall, 46, right, 10, 28, small)
        x = across(canvas, len(labels))

        def y(value: float) -> float:
            return canvas.top + (canvas.y_end - canvas.top) * (1 - value / 100)

        for percent in (0, 25, 50, 75, 100):
            canvas.text(canvas.left - 8, y(percent) + 4, words(percent), "axis", "end")
        middles = _draw_bands(canvas, shares, x, y)
        for share, row in zip(shares, spread(middles, 16, canvas.y_end), strict=True):
            canvas.pair(canvas.x_end + 10, row + 4, words(share.values[-1]), share.name, "axis")
        labels_below(canvas, labels, x)
        return canvas

    return both(draw, text)


def _draw_bands(
    canvas: Drawing,
    shares: Sequence[Share],
    x: Callable[[int], float],
    y: Callable[[float], float],
) -> list[float]:
    base = [0.0] * len(shares[0].values)
    middles = []
    for share in shares:
        top = [low + value for low, value in zip(base, share.values, strict=True)]
        up = [f"{number(x(at))} {number(y(value))}" for at, value in enumerate(top)]
        down = [f"{number(x(at))} {number(y(value))}" for at, value in enumerate(base)]
        if len(up) == 1:  # one month only: a band over the whole width
            up = [f"{number(edge)} {number(y(top[0]))}" for edge in (canvas.left, canvas.x_end)]
            down = [f"{number(edge)} {number(y(base[0]))}" for edge in (canvas.left, canvas.x_end)]
        canvas.path(f"o{share.shade} seam", "M" + "L".join([*up, *reversed(down)]) + "Z")
        middles.append(y((top[-1] + base[-1]) / 2))
        base = top
    return middles
