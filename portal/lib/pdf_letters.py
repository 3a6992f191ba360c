"""Which letters PDF files can print, and what stands for the others.

The font has Latin, Greek and Cyrillic letters. Forms ask for those where something is printed on
papers (`on_paper.py`); what comes otherwise is printed as well as it can be, and never left out.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from fpdf import FPDF
from fpdf.fonts import TTFFont

FONTS = Path(__file__).parent / "fonts"
LACKING: Final = "\N{WHITE SQUARE}"  # seen in the place of a letter, where a gap would not be


def printed(text: str) -> str:
    """As the font has it: without accents that it lacks, a square for a letter that it lacks."""
    return "".join(_printed(letter) for letter in unicodedata.normalize("NFC", text))


def unprintable(text: str) -> str:
    """The letters that only a square could stand for, each once."""
    letters = dict.fromkeys(unicodedata.normalize("NFC", text))
    return "".join(letter for letter in letters if _printed(letter) == LACKING != letter)


def _printed(letter: str) -> str:
    kind = unicodedata.category(letter)
    if letter in _letters() or kind == "Cc":
        return letter
    if kind in {"Cf", "Mn"}:  # marks without a width of their own
        return ""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base in _letters() else LACKING


@cache
def _letters() -> frozenset[str]:
    """What both weights of the font have."""
    reader = FPDF()
    for style, weight in (("", "Regular"), ("B", "Bold")):
        reader.add_font("paper", style, FONTS / f"LiberationSans-{weight}.ttf")
    known = [font.cmap.keys() for font in reader.fonts.values() if isinstance(font, TTFFont)]
    return frozenset(map(chr, set.intersection(*map(set, known))))
