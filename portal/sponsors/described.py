"""Supporters as JSON, for the one OpenAPI document."""

from __future__ import annotations

from typing import Final

from portal.lib.openapi import DATE, TEXT, URL, Paths, a, many, maybe, read

SUPPORTER: Final = a(
    name=TEXT,
    url=maybe(TEXT),
    logo=maybe(URL),
    kind=TEXT,
    tier=TEXT,
    badge=URL,
    since=DATE,
)
EXAMPLE: Final = {
    "foundation": "Example DB Foundation",
    "supporters": [
        {
            "name": "Northwind Data",
            "url": "https://northwind.example",
            "logo": None,
            "kind": "member",
            "tier": "Platinum",
            "badge": "https://portal.example.org/supporters/badges/northwind-data.svg",
            "since": "2026-04-26",
        }
    ],
}

PATHS: Final[Paths] = read(
    "/supporters.json",
    "Supporters of the foundation, for other sites to show",
    tag="supporters",
    answer=a(foundation=TEXT, supporters=many(SUPPORTER)),
    example=EXAMPLE,
)
