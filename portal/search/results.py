"""What was found, grouped by kind: one statement for all domains, and one for the clauses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from portal.search import arms, clauses, marks, pages
from portal.search.asked import Asked, Row, Share
from portal.search.kinds import ARMS

FEW: Final = 3  # of each kind, where all are shown
SIZE: Final = 20  # of one kind


def _release(key: str) -> str:
    return reverse("releases:release", args=key.split("/", 1))


def _same(key: str) -> str:
    return key


def _at(name: str) -> Callable[[str], str]:
    return lambda key: reverse(name, args=[key])


@dataclass(frozen=True, slots=True)
class Kind:
    label: str | Promise
    address: Callable[[str], str]


# In the order of the page.
KINDS: Final[Mapping[str, Kind]] = {
    "pages": Kind(_("Pages"), _same),
    "releases": Kind(_("Releases"), _release),
    "advisories": Kind(_("Security advisories"), _at("releases:advisory")),
    "decisions": Kind(_("Motions and resolutions"), _at("governance:motion")),
    "bylaws": Kind(_("Bylaws"), _same),
    "elections": Kind(_("Elections"), _at("governance:election")),
    "meetings": Kind(_("Meetings"), _at("governance:meeting")),
    "news": Kind(_("News"), _at("news:detail")),
    "supporters": Kind(
        _("Supporters"), lambda key: f"{reverse('sponsors:supporters')}#{quote(key)}"
    ),
    "contributors": Kind(_("Contributors"), lambda key: reverse("members:contributors")),
    "benchmarks": Kind(_("Benchmarks"), _at("benchmarks:suite")),
}


@dataclass(frozen=True, slots=True)
class Hit:
    title: str
    url: str
    text: str
    excerpt: SafeString
    on: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of a kind: some of it, and how much there is."""

    name: str
    label: str | Promise
    total: int
    hits: list[Hit]

    @property
    def has_more(self) -> bool:
        return self.total > len(self.hits)


@dataclass(frozen=True, slots=True)
class Results:
    groups: list[Group]  # every kind of which something was found
    kind: str  # the one that is shown whole; empty for a few of each
    page: Page[int] | None  # of that kind

    @property
    def total(self) -> int:
        return sum(group.total for group in self.groups)

    @property
    def shown(self) -> list[Group]:
        return [group for group in self.groups if not self.kind or group.name == self.kind]


def search(asked: Asked, *, kind: str = "", page: int = 1) -> Results:
    """`page` counts within `kind`; behind the last one stands the first."""
    page = max(1, page)
    rows = list(_rows(asked, kind, page)) if asked.text.strip() else []
    if kind and page > 1 and not any(row.kind == kind for row in rows):
        page, rows = 1, list(_rows(asked, kind, 1))
    groups = [group for name in KINDS if (group := _group(name, rows))]
    total = next((group.total for group in groups if group.name == kind), 0)
    return Results(groups, kind, Paginator(range(total), SIZE).get_page(page) if kind else None)


def _rows(asked: Asked, kind: str, page: int) -> Iterator[Row]:
    shares = {name: _share(name, kind, page) for name in KINDS}
    yield from arms.find(ARMS, asked, shares)
    yield from clauses.find(asked, shares["bylaws"])
    yield from pages.find(asked, shares["pages"])


def _share(name: str, kind: str, page: int) -> Share:
    if not kind:
        return Share(0, FEW)
    if name == kind:
        return Share((page - 1) * SIZE, page * SIZE)
    return Share(0, 1)  # its number alone is shown


def _group(name: str, rows: list[Row]) -> Group | None:
    mine = [row for row in rows if row.kind == name]
    if not mine:
        return None
    kind = KINDS[name]
    hits = [
        Hit(row.title, kind.address(row.key), marks.plain(row.text), marks.html(row.text), row.on)
        for row in mine
    ]
    return Group(name, kind.label, mine[0].total, hits)
