"""Bodies, motions, bylaws, meetings and elections as JSON, for the one OpenAPI document.

Their members are those of the pages; they may get more.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from portal.lib.openapi import DATE, NUMBER, TEXT, Paths, Schema, many, read, refusal


def with_(**members: Schema) -> Schema:
    """An object that has these members, and more."""
    return {"type": "object", "properties": members, "required": list(members)}


ON: Final[Schema] = {
    "name": "on",
    "in": "query",
    "description": "as it was on this day",
    "schema": {"anyOf": [DATE, {"const": ""}]},
    "example": "2026-01-31",
}
VERSION: Final[Schema] = with_(number=NUMBER, sha256=TEXT, articles=many(with_(number=TEXT)))

tell: Any = partial(read, tag="governance")


def _body() -> Paths:
    paths: Paths = tell(
        "/governance/bodies/{body}.json",
        "A body and who holds its seats",
        answer=with_(body=TEXT, name=TEXT, kind=TEXT, on=DATE, seats=many(with_(number=NUMBER))),
        names={"body": "council"},
        queries=[ON],
    )
    [entry] = paths.values()
    entry["get"]["responses"]["400"] = refusal("`on` is no day")
    return paths


PATHS: Final[Paths] = {
    **_body(),
    **tell(
        "/governance/motions/{reference}.json",
        "A motion and its result; while the vote is open, only who has voted",
        answer=with_(reference=TEXT, title=TEXT, body=TEXT, state=TEXT),
        names={"reference": "2026-05"},
    ),
    **tell(
        "/governance/decisions.json",
        "The signed list of decisions, which only grows",
        answer=with_(size=NUMBER, head=TEXT, key=TEXT, signature=TEXT),
    ),
    **tell(
        "/governance/bylaws/{slug}.json",
        "All versions of bylaws by article and clause",
        answer=with_(bylaws=TEXT, name=TEXT, body=TEXT, versions=many(VERSION)),
        names={"slug": "foundation"},
    ),
    **tell(
        "/governance/meetings/{slug}.json",
        "A meeting that was announced; its minutes once they are approved",
        answer=with_(meeting=TEXT, body=TEXT, title=TEXT),
        names={"slug": "board-2026-1"},
    ),
    **tell(
        "/governance/elections/{name}.json",
        "An election that was announced",
        answer=with_(election=TEXT, title=TEXT, body=TEXT, state=TEXT),
        names={"name": "board-odd-years"},
    ),
    **tell(
        "/governance/elections/{name}/result.json",
        "Its result, once it is counted",
        answer=with_(),
        names={"name": "board-odd-years"},
    ),
    **tell(
        "/governance/rules/{body}/{subject}/{version}.json",
        "One version of the rules by which a body decides",
        answer=with_(body=TEXT, subject=TEXT, version=NUMBER, name=TEXT),
        names={"body": "board", "subject": "ordinary", "version": "2"},
    ),
}
PATHS["/governance/decisions.json"]["get"]["responses"]["404"] = refusal("Nothing was signed yet")
