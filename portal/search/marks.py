"""From an excerpt of somebody's Markdown to HTML: everything is escaped but our own marks."""

from __future__ import annotations

import re
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# Letters that no text has: of the private area of Unicode.
BEGIN: Final = "\ue000"
END: Final = "\ue001"

_LINK_TARGET: Final = re.compile(r"\]\([^)\s]*\)")
_BLOCKS: Final = re.compile(r"(?m)^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+|\||<[^<>]*>|-{3,}")
_SIGNS: Final = re.compile(r"[*`\[\]\\]")
_MARKED: Final = re.compile(f"{BEGIN}(.*?){END}")


def plain(text: str) -> str:
    """Without the signs of Markdown and without marks, in one line."""
    return _flat(text).replace(BEGIN, "").replace(END, "")


def html(text: str) -> SafeString:
    """With `<mark>` around the words that were found."""
    pieces = _MARKED.split(_flat(text))  # between the marks, in them, and so on
    written = [
        f"<mark>{_safe(piece)}</mark>" if place % 2 else _safe(piece)
        for place, piece in enumerate(pieces)
    ]
    return mark_safe("".join(written))  # noqa: S308  (every piece is escaped)


def _flat(text: str) -> str:
    return " ".join(_SIGNS.sub("", _BLOCKS.sub(" ", _LINK_TARGET.sub("", text))).split())


def _safe(piece: str) -> str:
    return escape(piece.replace(BEGIN, "").replace(END, ""))
