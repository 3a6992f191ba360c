"""The pages of the site themselves, by the words of the links that lead to them."""

from __future__ import annotations

from portal import navigation
from portal.search.asked import Asked, Row, Share

KIND = "pages"


def find(asked: Asked, share: Share) -> list[Row]:
    """Those whose link holds every word."""
    sought = [part.lower() for part in asked.parts]
    links = {
        link.path: link
        for group in navigation.foot_groups()
        for link in (*navigation.main_links(""), *group.links)
    }
    found = [
        link
        for link in links.values()
        if sought and all(_begins(str(link.label), part) for part in sought)
    ]
    shown = found[share.first : share.last]
    return [Row(KIND, link.path, str(link.label), "", None, 0.0, len(found)) for link in shown]


def _begins(label: str, part: str) -> bool:
    """Whether a word of the label begins so."""
    return any(word.startswith(part) for word in label.lower().split())
