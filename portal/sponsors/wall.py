"""The wall of logos as one SVG that another site can embed as a picture; pure.

Everything is inside: a picture may load nothing. SVG logos were sanitised when they were kept.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

WIDTH = 920
GAP = 16
# Plates of a row and their height, for each logo size.
ROWS = {"big": (2, 150), "mid": (4, 110), "low": (6, 76)}
INSET = 0.14  # of the height of a plate


@dataclass(frozen=True, slots=True)
class Plate:
    """A supporter's place on the wall; without a picture the name is written."""

    name: str
    size: str
    format: str  # "svg", "png" or ""
    content: bytes
    width: int
    height: int


def draw(plates: Sequence[Plate], *, title: str) -> str:
    """The wall, larger sizes first, in the sequence of `plates`."""
    parts: list[str] = []
    top = 0.0
    order = list(ROWS)
    in_order = sorted(plates, key=lambda plate: order.index(plate.size))
    for size, some in groupby(in_order, key=lambda plate: plate.size):
        columns, height = ROWS[size]
        width = (WIDTH - GAP * (columns - 1)) / columns
        row = list(some)
        for place, plate in enumerate(row):
            x = (place % columns) * (width + GAP)
            y = top + (place // columns) * (height + GAP)
            parts.append(_plate(plate, x, y, width, height))
        top += -(-len(row) // columns) * (height + GAP)
    total = max(1, round(top - GAP))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}"'
        f' width="{WIDTH}" height="{total}" role="img" aria-label={quoteattr(title)}>'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>\n"
    )


def _plate(plate: Plate, x: float, y: float, width: float, height: float) -> str:
    ground = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="3"'
        ' fill="#fff" stroke="#d5ddd9"/>'
    )
    inset = height * INSET
    box = f'x="{x + inset:.1f}" y="{y + inset:.1f}"'
    size = f'width="{width - 2 * inset:.1f}" height="{height - 2 * inset:.1f}"'
    if plate.format == "svg":
        inner = plate.content.decode().removeprefix("<?xml version='1.0' encoding='utf-8'?>\n")
        view = f'viewBox="0 0 {plate.width} {plate.height}"'
        inside = f"<svg {box} {size} {view}>{inner}</svg>"
    elif plate.format == "png":
        data = base64.b64encode(plate.content).decode()
        inside = f'<image {box} {size} href="data:image/png;base64,{data}"/>'
    else:
        middle = f'x="{x + width / 2:.1f}" y="{y + height / 2:.1f}"'
        inside = (
            f'<text {middle} text-anchor="middle" dominant-baseline="central" fill="#10231b"'
            f' font-family="sans-serif" font-size="15">{escape(plate.name)}</text>'
        )
    return f"<g><title>{escape(plate.name)}</title>{ground}{inside}</g>"
