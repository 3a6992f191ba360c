"""What happened, newest first, as Atom (RFC 4287) and as JSON Feed 1.1.

An app makes a `Feed` of its rows; `FORMS` writes it.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed
from django.utils.xmlutils import SimplerXMLGenerator

BEGINNING: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened; its id never changes and is never used again."""

    id: str
    title: str
    url: str
    summary: str
    html: str
    at: dt.datetime
    updated: dt.datetime
    tags: tuple[str, ...]
    author: str = ""  # where it is not the foundation as a whole


@dataclass(frozen=True, slots=True)
class Feed:
    title: str
    description: str
    page: str
    address: str
    entries: list[Entry]
    gone_at: dt.datetime | None = None  # when an entry was last taken out

    @property
    def updated(self) -> dt.datetime | None:
        """The last change that a reader sees; None of a feed in which nothing ever stood."""
        moments = [entry.updated for entry in self.entries]
        return max([*moments, self.gone_at] if self.gone_at else moments, default=None)


class _Atom(Atom1Feed):
    """With the summary and the whole text of an entry, and a date that does not run."""

    def latest_post_date(self) -> dt.datetime:
        updated: dt.datetime = self.feed["updated"] or BEGINNING
        return updated

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("summary", item["summary"])
        handler.addQuickElement("content", item["html"], {"type": "html"})


def atom(found: Feed) -> str:
    writer = _Atom(
        title=found.title,
        link=found.page,
        description="",
        subtitle=found.description,
        feed_url=found.address,
        feed_guid=found.address,
        author_name=settings.FOUNDATION_NAME,
        language="en",
        updated=found.updated,
    )
    for entry in found.entries:
        writer.add_item(
            title=entry.title,
            link=entry.url,
            description=None,  # type: ignore[arg-type]
            summary=entry.summary,
            html=entry.html,
            author_name=entry.author or None,
            unique_id=entry.id,
            pubdate=entry.at,
            updateddate=entry.updated,
            categories=entry.tags,
        )
    text: str = writer.writeString("utf-8")
    return text


def json_feed(found: Feed) -> str:
    items = list(_items(found.entries))
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": found.title,
        "description": found.description,
        "home_page_url": found.page,
        "feed_url": found.address,
        "language": "en",
        "authors": [{"name": settings.FOUNDATION_NAME, "url": f"{settings.BASE_URL}/"}],
        "items": items,
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _items(entries: list[Entry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        yield {
            "id": entry.id,
            "url": entry.url,
            "title": entry.title,
            "summary": entry.summary,
            "content_html": entry.html,
            "date_published": entry.at.isoformat(),
            "date_modified": entry.updated.isoformat(),
            "tags": list(entry.tags),
            **({"authors": [{"name": entry.author}]} if entry.author else {}),
        }


FORMS: Final[dict[str, tuple[str, Callable[[Feed], str]]]] = {
    "atom": ("application/atom+xml; charset=utf-8", atom),
    "json": ("application/feed+json; charset=utf-8", json_feed),
}
