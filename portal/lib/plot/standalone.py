"""A chart as a file of its own: the style sheet is not there, so attributes carry its colours."""

from __future__ import annotations

import re
from typing import Final

SVG: Final = re.compile(r'<svg class="plot" viewBox="0 0 ([\d.]+) ([\d.]+)"(.*?)</svg>', re.S)
CLASSES: Final = re.compile(r' class="([^"]*)"')
PAPER: Final = "#ffffff"
LOOKS: Final = {  # the light theme of the style sheet, by class
    "area": 'fill="#d9ede3"',
    "axis": 'fill="#4b5a54"',
    "b": 'font-weight="650"',
    "c1": 'stroke="#0a6047"',
    "c2": 'stroke="#2d5f9e"',
    "c3": 'stroke="#b06a00"',
    "c4": 'stroke="#8a3f6d"',
    "c5": 'stroke="#64736c"',
    "f1": 'fill="#0a6047"',
    "f2": 'fill="#2d5f9e"',
    "f3": 'fill="#b06a00"',
    "f4": 'fill="#8a3f6d"',
    "f5": 'fill="#64736c"',
    "grid": 'stroke="#dfe7e3"',
    "halo": f'paint-order="stroke" stroke="{PAPER}" stroke-width="5" stroke-linejoin="round"',
    "line": 'fill="none" stroke-width="2.25" stroke-linejoin="round" stroke-linecap="round"',
    "mute": 'fill="#d3ddd8"',
    "on": 'fill="#ffffff"',
    "today": 'stroke="#0e1a16" stroke-width="1.5" stroke-dasharray="3 3"',
    "zero": 'stroke="#0e1a16" stroke-width="1.5"',
}


def standalone(drawn: str) -> str:
    """The wide one of the two drawings of a chart, to be shown by an `img` of any site."""
    found = SVG.search(drawn)
    if found is None:
        raise ValueError("this is no chart")
    width, height, rest = found.groups()
    frame = f'xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    words, end, body = rest.partition("</desc>")
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    font = 'font-family="system-ui, sans-serif" font-size="13" fill="#0e1a16"'
    drawing = f"{paper}<g {font}>{CLASSES.sub(_attributes, body)}</g>"
    return f'<svg {frame} viewBox="0 0 {width} {height}"{words}{end}{drawing}</svg>\n'


def _attributes(found: re.Match[str]) -> str:
    looks = [LOOKS[name] for name in found[1].split() if name in LOOKS]
    return "".join(f" {look}" for look in looks)
