"""The search as JSON."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from portal.lib.words import LONGEST
from portal.search.asked import Asked
from portal.search.results import KINDS, Group, search

router = Router(tags=["search"])


class HitOut(Schema):
    """``text`` is the place where the words stand, without Markdown."""

    title: str
    url: str
    text: str
    on: dt.datetime | None


class GroupOut(Schema):
    """A kind of thing: how many were found, and some of them."""

    kind: str
    label: str
    total: int
    hits: list[HitOut]


class ResultsOut(Schema):
    """``page`` and ``pages`` count within the kind that was asked for."""

    query: str
    total: int
    kind: str
    page: int
    pages: int
    groups: list[GroupOut]


class AskedIn(Schema):
    q: str = Field("", description="What to look for.")
    kind: str = Field("", description="One kind alone, such as `decisions`.")
    page: int = Field(1, ge=1, le=9_999, description="Of that kind.")


@router.get("", response=ResultsOut, auth=None)
def search_everything(request: HttpRequest, asked: Query[AskedIn]) -> dict[str, object]:
    """Everything public with these words: a few of each kind, or a page of one kind.

    ``q`` takes words, a "phrase", ``or``, and ``-without``; kinds are releases, advisories,
    decisions, bylaws, elections, meetings, news, supporters, contributors, benchmarks and pages.
    """
    kind = asked.kind if asked.kind in KINDS else ""
    found = search(Asked(asked.q[:LONGEST], timezone.now()), kind=kind, page=asked.page)
    return {
        "query": asked.q[:LONGEST],
        "total": found.total,
        "kind": kind,
        "page": found.page.number if found.page else 1,
        "pages": found.page.paginator.num_pages if found.page else 1,
        "groups": [_group(group) for group in found.shown],
    }


def _group(group: Group) -> dict[str, object]:
    hits = [
        {"title": hit.title, "url": f"{settings.BASE_URL}{hit.url}", "text": hit.text, "on": hit.on}
        for hit in group.hits
    ]
    return {"kind": group.name, "label": str(group.label), "total": group.total, "hits": hits}
