"""The canvas that every chart draws on, and what charts share: scales, ticks, labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final
from zlib import crc32

WIDE: Final = 920
SMALL: Final = 340
GLYPH: Final = 7.2  # mean width of a character at the font size of the style sheet, 13 px
CAPITAL: Final = 8.8  # and of a capital letter


@dataclass(frozen=True, slots=True)
class Text:
    """What every chart says in words."""

    title: str
    description: str


@dataclass(slots=True)
class Drawing:
    """A canvas: margins, and the pieces drawn so far."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    small: bool
    pieces: list[str] = field(default_factory=list)

    @property
    def x_end(self) -> float:
        return self.width - self.right

    @property
    def y_end(self) -> float:
        return self.height - self.bottom

    def text(
        self, x: float, y: float, words: object, kind: str = "", anchor: str = "start"
    ) -> None:
        name = f' class="{kind}"' if kind else ""
        side = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.pieces.append(
            f'<text x="{number(x)}" y="{number(y)}"{name}{side}>{escape(str(words))}</text>'
        )

    def line(self, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
        ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
        self.pieces.append(f'<line class="{kind}" {ends}/>')

    def rect(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        size = f'width="{number(max(width, 1))}" height="{number(height)}"'
        box = f'x="{number(x)}" y="{number(y)}" {size}'
        self.pieces.append(f'<rect class="{kind}" {box}/>')

    def dot(self, kind: str, x: float, y: float, radius: float) -> None:
        self.pieces.append(
            f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'
        )

    def path(self, kind: str, data: str) -> None:
        self.pieces.append(f'<path class="{kind}" d="{data}"/>')

    def pair(self, x: float, y: float, strong: str, plain: str, kind: str) -> None:
        """A value in bold and its name behind it, in one line."""
        spans = f'<tspan class="b">{escape(strong)}</tspan> '
        spans += f'<tspan class="{kind}">{escape(plain)}</tspan>'
        self.pieces.append(f'<text x="{number(x)}" y="{number(y)}">{spans}</text>')


def number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def _svg(drawing: Drawing, text: Text) -> str:
    body = "".join(drawing.pieces)
    key = f"p{crc32(f'{text.title}{drawing.width}{body}'.encode()):x}"
    kind = "plot-small plot" if drawing.small else "plot"
    frame = f'viewBox="0 0 {number(drawing.width)} {number(drawing.height)}" role="img"'
    words = f'<title id="{key}t">{escape(text.title)}</title>'
    words += f'<desc id="{key}d">{escape(text.description)}</desc>'
    return f'<svg class="{kind}" {frame} aria-labelledby="{key}t {key}d">{words}{body}</svg>'


def both(draw: Callable[[bool], Drawing], text: Text) -> str:
    return _svg(draw(True), text) + _svg(draw(False), text)


def nice_ticks(maximum: float, count: int = 4) -> list[float]:
    """At most ``count`` round steps from zero that cover ``maximum``.

    >>> nice_ticks(71)
    [0.0, 20.0, 40.0, 60.0, 80.0]
    """
    if maximum <= 0:
        return [0, 1]
    rough = maximum / count
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 4, 5, 10) if power * m >= rough * (1 - 1e-9))
    steps = ceil(maximum / step - 1e-9)
    return [round(step * n, 10) for n in range(steps + 1)]


def width_of(words: str) -> float:
    """About how much room words take."""
    return sum(CAPITAL if letter.isupper() else GLYPH for letter in words)


def fitted(words: str, room: float) -> str:
    """Words that end early where there is no room for all of them.

    >>> fitted("wsrep", 40), fitted("FEATURE_VECTOR", 60)
    ('wsrep', 'FEATUR…')
    """
    if width_of(words) <= room:
        return words
    kept = words
    while kept and width_of(kept) > room - GLYPH:
        kept = kept[:-1]
    return f"{kept}…"


def spread(rows: list[float], gap: float, lowest: float) -> list[float]:
    """Positions in the same order, none nearer than ``gap`` to the next, none below ``lowest``."""
    order = sorted(range(len(rows)), key=rows.__getitem__)
    for before, after in pairwise(order):
        rows[after] = max(rows[after], rows[before] + gap)
    for at in reversed(order):
        rows[at] = min(rows[at], lowest)
        lowest = rows[at] - gap
    return rows


def labels_below(canvas: Drawing, labels: Sequence[str], x: Callable[[int], float]) -> None:
    """As many labels under the axis as fit beside each other, the first one always."""
    widest = GLYPH * max(len(label) for label in labels) + 14
    beyond = GLYPH * len(labels[0]) / 2 > canvas.left
    if beyond:  # the first begins where its neighbours have their middle
        widest *= 1.5
    room = (canvas.x_end - canvas.left) / max(len(labels) - 1, 1)
    every = max(1, ceil(widest / max(room, 0.1)))
    for at in range(0, len(labels), every):
        anchor = "start" if at == 0 and beyond else "middle"
        canvas.text(x(at), canvas.height - 6, labels[at], "axis", anchor)


def across(drawing: Drawing, count: int) -> Callable[[int], float]:
    """Where the n-th of ``count`` labels stands; a single one in the middle."""
    width = drawing.x_end - drawing.left
    if count == 1:
        return lambda _at: drawing.left + width / 2
    return lambda at: drawing.left + width * at / (count - 1)
