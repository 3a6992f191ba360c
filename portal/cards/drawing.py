"""Draws a card as PNG, 1200 by 630, which is what social sites ask for. Knows no Django."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from portal.cards.card import Card

SIZE: Final = (1200, 630)
EDGE: Final = 72
WIDTH: Final = SIZE[0] - 2 * EDGE
FONTS: Final = Path(__file__).resolve().parent.parent / "lib" / "fonts"
# The light set of static/css/tokens.css.
PAPER, BAND, INK, SOFT, ACCENT, LIT = (
    *("#ffffff", "#eef5f1", "#0e1a16", "#4b5a54", "#0a6047", "#8be6c2"),
)
FOOT: Final = 118  # height of the green strip below
TITLES: Final = ((72, 2), (58, 3), (46, 4))  # size, and in how many lines it may stand


def png(card: Card) -> bytes:
    """The picture as bytes."""
    image = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, SIZE[0], 14), fill=ACCENT)
    top = _title(pen, card.title, 76)
    top = _lines(pen, wrapped(card.text, _font(30), WIDTH)[:3], top + 22, 30, SOFT)
    for fact in card.facts:
        if top + 60 > SIZE[1] - FOOT:
            break
        pen.rectangle((EDGE, top + 16, SIZE[0] - EDGE, top + 60), fill=BAND)
        line = wrapped(fact, _font(28, bold=True), WIDTH - 32)[:1]
        _lines(pen, line, top + 21, 28, INK, left=EDGE + 16, bold=True)
        top += 50
    _foot(pen, card.foundation)
    out = BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def wrapped(text: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Lines that are not wider; a word that is wider alone is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
            continue
        while font.getlength(word) > width:
            word = word[:-2] + "…"  # noqa: PLW2901
        lines.append(word)
    return lines


def _title(pen: ImageDraw.ImageDraw, title: str, top: int) -> int:
    """As large as it fits."""
    for size, most in TITLES:
        lines = wrapped(title, _font(size, bold=True), WIDTH)
        if len(lines) <= most:
            break
    return _lines(pen, lines[:most], top, size, INK, bold=True)


def _lines(
    pen: ImageDraw.ImageDraw,
    lines: list[str],
    top: int,
    size: int,
    colour: str,
    *,
    left: int = EDGE,
    bold: bool = False,
) -> int:
    """Writes them, and says where the last one ends."""
    for line in lines:
        pen.text((left, top), line, font=_font(size, bold=bold), fill=colour)
        top += round(size * 1.25)
    return top


def _foot(pen: ImageDraw.ImageDraw, foundation: str) -> None:
    """The mark of the portal and whose page it is."""
    top = SIZE[1] - FOOT
    pen.rectangle((0, top, *SIZE), fill=BAND)
    x, y, unit = EDGE, top + 27, 2  # the mark is drawn on 32 units
    pen.rectangle((x, y, x + 32 * unit, y + 32 * unit), fill=ACCENT)
    for left, above, right, below, colour in (
        (6, 7, 26, 12, PAPER),
        (6, 20.5, 26, 25.5, PAPER),
        (6, 13.75, 18, 18.75, LIT),
        (21, 13.75, 26, 18.75, LIT),
    ):
        box = (x + left * unit, y + above * unit, x + right * unit, y + below * unit)
        pen.rectangle(box, fill=colour)
    _lines(
        pen,
        wrapped(foundation, _font(34, bold=True), WIDTH - 90)[:1],
        y + 12,
        34,
        INK,
        left=x + 32 * unit + 24,
        bold=True,
    )


@cache
def _font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = f"LiberationSans-{'Bold' if bold else 'Regular'}.ttf"
    return ImageFont.truetype(FONTS / name, size)
