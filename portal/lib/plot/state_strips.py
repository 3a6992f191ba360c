"""A strip of states for each of several things: one bar for each span of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portal.lib.plot.drawing import GLYPH, SMALL, WIDE, Drawing, Text, both

TALLEST = 22.0


@dataclass(frozen=True, slots=True)
class Strip:
    """A row: its name, and for each span of time how well it was, from 0 to 1; None is unknown."""

    label: str
    spans: Sequence[float | None]


def strips(text: Text, rows: Sequence[Strip], first: str, last: str) -> str:
    """The height of a bar says how well it was and its shade too; unknown is a hairline. `first`
    and `last` stand below the ends.
    """
    if not rows:
        return ""

    def draw(small: bool) -> Drawing:
        step = 50 if small else 36
        names = 0 if small else min(16 + GLYPH * max(len(row.label) for row in rows), 340)
        width = SMALL if small else WIDE
        canvas = Drawing(width, step * len(rows) + 26, names, 0, 4, 22, small)
        for at, row in enumerate(rows):
            _draw_row(canvas, row, canvas.top + step * (at + 1) - 8)
        canvas.text(canvas.left, canvas.height - 6, first, "axis")
        canvas.text(canvas.x_end, canvas.height - 6, last, "axis", "end")
        return canvas

    return both(draw, text)


def _draw_row(canvas: Drawing, row: Strip, base: float) -> None:
    canvas.text(0, base - (TALLEST + 6 if canvas.small else 5), row.label)
    canvas.line("grid", canvas.left, base, canvas.x_end, base)
    width = (canvas.x_end - canvas.left) / max(len(row.spans), 1)
    for at, well in enumerate(row.spans):
        if well is not None:
            height = 3 + (TALLEST - 3) * well
            x = canvas.left + at * width
            canvas.rect(_shade(well), x, base - height, width * 0.8, height)


def _shade(well: float) -> str:
    if well >= 1:
        return "o2"
    return "o4" if well > 0 else "o1"
