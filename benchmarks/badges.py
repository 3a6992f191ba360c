"""The picture of a badge: a name, a number, and the rung of trust that it stands on. Pure."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

GLYPH: Final = 6.6  # width of a letter at this size, on the generous side
PAD: Final = 8
HEIGHT: Final = 22
COLOURS: Final = {"good": "#1a6b45", "info": "#2b5c8a", "warn": "#8a5a00", "plain": "#5c6470"}
TONES: Final = {0: "plain", 1: "warn", 2: "info", 3: "info", 4: "good", 5: "good"}


def draw(label: str, value: str, tone: str, rung: str = "") -> str:
    """An SVG that needs no style sheet, no font of its own and no script."""
    parts = [(label, "#33383f"), (value, COLOURS[tone])]
    if rung:
        parts.append((rung, "#33383f"))
    x, shapes, words = 0.0, [], []
    for text, colour in parts:
        width = 2 * PAD + GLYPH * len(text)
        shapes.append(f'<rect x="{x:g}" width="{width:g}" height="{HEIGHT}" fill="{colour}"/>')
        words.append(f'<text x="{x + width / 2:g}" y="15">{escape(text)}</text>')
        x += width
    said = escape(": ".join([label, ", ".join(text for text, _colour in parts[1:])]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x:g}" height="{HEIGHT}" role="img">'
        f"<title>{said}</title>{''.join(shapes)}"
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif"'
        f' font-size="11">{"".join(words)}</g></svg>'
    )
