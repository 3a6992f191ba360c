"""The directory of members as JSON, for the one OpenAPI document."""

from __future__ import annotations

from typing import Final

from portal.lib.openapi import DATE, TEXT, URL, Paths, a, many, maybe, query, read

MEMBER: Final = a(
    name=TEXT, url=maybe(TEXT), logo=maybe(URL), country=TEXT, tier=maybe(TEXT), since=DATE
)

PATHS: Final[Paths] = read(
    "/members.json",
    "Members that agreed to be named",
    tag="supporters",
    answer=a(foundation=TEXT, members=many(MEMBER)),
    queries=[
        query("q", "a part of the name", example="north"),
        query("country", "two letters", example="NO"),
        query("tier", "the tier", example="platinum"),
    ],
)
