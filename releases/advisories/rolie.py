"""The folder of CSAF documents as ROLIE (RFC 8322): one feed, the service and its categories.

https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html, 7.1.15 to 7.1.17. Everything here is
public, so there is one feed, of the label TLP:WHITE.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from releases.advisories import csaf
from releases.advisories.facts import Publisher, stamp
from releases.advisories.tracking import VERSION

Document = dict[str, Any]
LABEL: Final = "WHITE"
FEED: Final = "csaf-feed-tlp-white"
CATEGORIES: Final = "category-white"
TITLE: Final = "Security advisories (TLP:WHITE)"
SUBJECT: Final = [{"scheme": "urn:ietf:params:rolie:category:information-type", "term": "csaf"}]
FORMAT: Final = {
    "schema": "https://docs.oasis-open.org/csaf/csaf/v2.0/csaf_json_schema.json",
    "version": VERSION,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A public document: its newest revision, and whether its signature is there already."""

    identifier: str
    product_name: str
    summary: str
    published: dt.datetime
    updated: dt.datetime
    is_signed: bool


def address(publisher: Publisher, name: str) -> str:
    """Of a document in the folder of CSAF documents."""
    return f"{publisher.namespace}/advisories/csaf/{name}.json"


def service_address(publisher: Publisher) -> str:
    return f"{publisher.namespace}/.well-known/csaf/service.json"


def feed(entries: Iterable[Entry], publisher: Publisher, updated: str) -> Document:
    """Every public document, in the order of the entries."""
    return {
        "feed": {
            "id": FEED,
            "title": TITLE,
            "link": [
                _link("self", address(publisher, FEED)),
                _link("service", service_address(publisher)),
            ],
            "category": SUBJECT,
            "updated": updated,
            "entry": [_entry(found, publisher) for found in entries],
        }
    }


def _entry(found: Entry, publisher: Publisher) -> Document:
    at = csaf.address(found.identifier, found.published.year, publisher)
    links = [_link("self", at), _link("hash", f"{at}.sha256"), _link("hash", f"{at}.sha512")]
    return {
        "id": found.identifier,
        "title": csaf.title(found.product_name, found.summary),
        "link": links + ([_link("signature", f"{at}.asc")] if found.is_signed else []),
        "category": [{"term": found.product_name}],
        "published": stamp(found.published),
        "updated": stamp(found.updated),
        "summary": {"content": found.summary},
        "content": {"type": "application/json", "src": at},
        "format": FORMAT,
    }


def _link(kind: str, href: str) -> dict[str, str]:
    return {"rel": kind, "href": href}


def service(publisher: Publisher) -> Document:
    """Where the feed is."""
    collection = {
        "title": TITLE,
        "href": address(publisher, FEED),
        "categories": {"category": SUBJECT},
    }
    return {"service": {"workspace": [{"title": publisher.name, "collection": [collection]}]}}


def categories(products: Iterable[str]) -> Document:
    """By what entries of the feed are told apart: the name of the product."""
    return {"categories": {"category": [{"term": name} for name in products]}}


def distribution(publisher: Publisher) -> Document:
    """What provider-metadata.json says of it."""
    return {
        "rolie": {
            "categories": [address(publisher, CATEGORIES)],
            "feeds": [
                {"summary": TITLE, "tlp_label": LABEL, "url": address(publisher, FEED)},
            ],
            "services": [service_address(publisher)],
        }
    }
