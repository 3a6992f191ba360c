"""Markdown of people to HTML that is safe to show."""

from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_TAGS = {
    *("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "a"),
    *("ul", "ol", "li", "h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}

_TO_THE_RIGHT = 'style="text-align:right"'  # how the parser writes the mark of a column


REMEMBERED: Final = 512  # texts; nothing but the text and what is asked for decides the HTML


@lru_cache(maxsize=REMEMBERED)
def render(text: str, *, base: str = "", pictures: bool = False) -> SafeString:
    """HTML of `text`; raw HTML in it is shown as text, links to other schemes lose their target.

    For readers elsewhere `base` completes links that begin at this site or this page, and columns
    are placed without our style sheet. Pictures are for texts of the foundation itself, and only
    those that this site serves.
    """
    html = _PARSER.render(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    to_the_right = 'align="right"' if base else 'class="num"'
    html = html.replace(_TO_THE_RIGHT, to_the_right)  # in text the quotes are escaped
    cell = {"align"} if base else {"class"}
    attributes = {"a": {"href"}, "ol": {"start"}, "img": {"src", "alt"}, "th": cell, "td": cell}
    clean = nh3.clean(
        html,
        tags=_TAGS | {"img"} if pictures else _TAGS,
        attributes=attributes,
        attribute_filter=lambda _tag, name, value: _address(base, name, value),
    )
    return mark_safe(clean)  # noqa: S308  (cleaned on the line above)


def _address(base: str, name: str, value: str) -> str | None:
    """What stands in the attribute; None takes it away."""
    if name == "src" and (not value.startswith("/") or value.startswith("//")):
        return None
    return urljoin(base, value) if base and name in ("href", "src") else value
