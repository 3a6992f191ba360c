"""Values over ordered labels, each line with its name at its end."""

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
    fitted,
    labels_below,
    nice_ticks,
    number,
    spread,
    width_of,
)

NOTE_ROW, NOTE_ROWS = 16, 3


@dataclass(frozen=True, slots=True)
class Line:
    """One value a label; None leaves a gap. Name and last value stand at the end of the line."""

    name: str
    values: Sequence[float | None]
    tone: int = 1


@dataclass(frozen=True, slots=True)
class Note:
    """A dashed upright line at a label."""

    at: int
    text: str


def lines(
    text: Text,
    labels: Sequence[str],
    drawn: Sequence[Line],
    *,
    words: Callable[[float], str],
    area: bool = False,
    notes: Sequence[Note] = (),
    height: int = 300,
) -> str:
    """Values over ordered labels, from zero. ``words`` writes a number; ``area`` fills tone 1."""
    known = [value for line in drawn for value in line.values if value is not None]
    if not labels or not known:
        return ""
    ticks = _ticks(max(known), words)
    ends = [
        (line, words(next(v for v in reversed(line.values) if v is not None))) for line in drawn
    ]

    def draw(small: bool) -> Drawing:
        canvas = _line_canvas(small, height, [words(tick) for tick in ticks], ends)
        x = across(canvas, len(labels))

        def y(value: float) -> float:
            return canvas.top + (canvas.y_end - canvas.top) * (1 - value / ticks[-1])

        for tick in ticks:
            canvas.line("grid" if tick else "zero", canvas.left, y(tick), canvas.x_end, y(tick))
            canvas.text(canvas.left - 8, y(tick) + 4, words(tick), "axis", "end")
        labels_below(canvas, labels, x)
        for line in drawn:
            _draw_line(canvas, line, x, y, filled=area and line.tone == 1)
        for note in notes:
            canvas.line("today", x(note.at), canvas.top, x(note.at), canvas.y_end)
        for row, note in enumerate(notes):
            _draw_note(canvas, note, x(note.at), row)
        _name_ends(canvas, ends, x, y)
        return canvas

    return both(draw, text)


def _ticks(maximum: float, words: Callable[[float], str]) -> list[float]:
    """As many steps as have words of their own: of two downloads there is no half."""
    ticks = nice_ticks(maximum)
    for count in (2, 1):
        if len({words(tick) for tick in ticks}) < len(ticks):
            ticks = nice_ticks(maximum, count)
    return ticks


def _line_canvas(
    small: bool, height: int, ticks: list[str], ends: list[tuple[Line, str]]
) -> Drawing:
    left = 12 + GLYPH * max(len(tick) for tick in ticks)
    if small:
        right = 10 + max(max(width_of(line.name), width_of(value)) for line, value in ends)
        return Drawing(SMALL, height * 0.8, left, min(right, 132), 12, 24, small)
    right = 18 + max(width_of(f"{value} {line.name}") for line, value in ends)
    return Drawing(WIDE, height, left, min(right, 260), 14, 28, small)


def _draw_note(canvas: Drawing, note: Note, x: float, row: int) -> None:
    """Above the axis, where lines from zero seldom run; neighbours on rows of their own, before
    the dashed lines.
    """
    fits = x + 6 + width_of(note.text) <= canvas.x_end
    y = canvas.y_end - 8 - NOTE_ROW * (row % NOTE_ROWS)
    canvas.text(x + 6 if fits else x - 6, y, note.text, "axis halo", "start" if fits else "end")


def _draw_line(
    canvas: Drawing,
    line: Line,
    x: Callable[[int], float],
    y: Callable[[float], float],
    *,
    filled: bool,
) -> None:
    for run in _runs(line.values):
        points = [f"{number(x(at))} {number(y(value))}" for at, value in run]
        data = "M" + "L".join(points)
        if filled and len(run) > 1:
            ground = (
                f"L{number(x(run[-1][0]))} {number(y(0))}L{number(x(run[0][0]))} {number(y(0))}Z"
            )
            canvas.path("area", data + ground)
        canvas.path(f"line c{line.tone}", data)


def _runs(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """The stretches between the gaps."""
    runs: list[list[tuple[int, float]]] = [[]]
    for at, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((at, value))
    return [run for run in runs if run]


def _name_ends(
    canvas: Drawing,
    ends: list[tuple[Line, str]],
    x: Callable[[int], float],
    y: Callable[[float], float],
) -> None:
    last = [_runs(line.values)[-1][-1] for line, _ in ends]
    rows = spread(
        [y(value) for _, value in last],
        gap=30 if canvas.small else 18,
        lowest=canvas.y_end - (14 if canvas.small else 0),
    )
    for (line, value), (at, reached), row in zip(ends, last, rows, strict=True):
        canvas.dot(f"f{line.tone}", x(at), y(reached), 3.5)
        if canvas.small:
            canvas.text(canvas.x_end + 8, row, value, "b")
            name = fitted(line.name, canvas.right - 10)
            canvas.text(canvas.x_end + 8, row + 14, name, f"f{line.tone}")
        else:
            name = fitted(line.name, canvas.right - 18 - width_of(f"{value} "))
            canvas.pair(canvas.x_end + 10, row + 4.5, value, name, f"f{line.tone}")
