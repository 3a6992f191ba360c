"""The links of the masthead and the foot, as data. A link is shown when its address exists."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import is_valid_path
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from portal.accounts.roles import Role


@dataclass(frozen=True, slots=True)
class Link:
    """A label, its path, and the value of ``aria-current`` for the page being shown."""

    label: str | Promise
    path: str
    current: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A titled column of links."""

    title: str | Promise
    links: tuple[Link, ...]


MAIN: Final = (
    Link(_("Releases"), "/releases/"),
    Link(_("Governance"), "/governance/"),
    Link(_("Supporters"), "/supporters/"),
    Link(_("Statistics"), "/statistics/"),
    Link(_("Benchmarks"), "/benchmarks/"),
)

FOOT: Final = (
    Group(
        _("Foundation"),
        (
            Link(_("Board"), "/governance/board/"),
            Link(_("Motions and resolutions"), "/governance/motions/"),
            Link(_("Meetings"), "/governance/meetings/"),
            Link(_("Bylaws"), "/governance/bylaws/"),
            Link(_("Elections"), "/governance/elections/"),
            Link(_("News"), "/news/"),
        ),
    ),
    Group(
        _("Software"),
        (
            Link(_("Downloads"), "/releases/"),
            Link(_("Repository configuration"), "/repositories/"),
            Link(_("Signing keys"), "/keys/"),
            Link(_("Security advisories"), "/advisories/"),
            Link(_("Mirrors"), "/mirrors/"),
        ),
    ),
    Group(
        _("Data"),
        (
            Link(_("Usage statistics"), "/statistics/"),
            Link(_("Benchmarks"), "/benchmarks/"),
            Link(_("Privacy promises"), "/privacy/"),
            Link(_("JSON API"), "/api/v1/docs"),
        ),
    ),
    Group(
        _("Take part"),
        (
            Link(_("Become a supporter"), "/join/"),
            Link(_("Supporters"), "/supporters/"),
            Link(_("Member directory"), "/members/"),
            Link(_("Contributors"), "/contributors/"),
            Link(_("Donate"), "/donate/"),
            Link(_("Styleguide"), "/styleguide/"),
        ),
    ),
)

SEARCH: Final = "/search/"

ORGANISATION: Final = Link(_("Your organisation"), "/organisation/")

SEATS: Final = Link(_("What waits for you, and your seats"), "/governance/own/")

# Where who holds a role does the work.
DESKS: Final = {
    Role.OWNER: ORGANISATION,
    Role.BILLING: ORGANISATION,
    Role.TECHNICAL: ORGANISATION,
    Role.MARKETING: ORGANISATION,
    Role.CONTRIBUTOR: Link(_("Your standing as contributor"), "/contributors/own/"),
    Role.DIRECTOR: SEATS,
    Role.COUNCIL: SEATS,
    Role.SECRETARY: Link(_("Keep the seats of your body"), "/governance/bodies/"),
    Role.RELEASE_MANAGER: Link(_("Manage releases"), "/releases/manage/"),
    Role.TREASURER: Link(_("Keep the books"), "/books/"),
    Role.EDITOR: Link(_("Write the news"), "/staff/news/"),
    Role.BENCHMARKS: Link(_("Look at benchmark uploads"), "/benchmarks/moderation/"),
    Role.STAFF: Link(_("Staff pages"), "/staff/"),
}


@cache
def _exists(path: str) -> bool:
    return bool(is_valid_path(path))


def main_links(here: str) -> list[Link]:
    """The areas of the site; the one that ``here`` belongs to is marked."""
    return [
        Link(link.label, link.path, _current(link.path, here))
        for link in MAIN
        if _exists(link.path)
    ]


def foot_groups() -> list[Group]:
    """The columns of the foot, without links that lead nowhere."""
    groups = (Group(g.title, tuple(x for x in g.links if _exists(x.path))) for g in FOOT)
    return [group for group in groups if group.links]


def desks(roles: Iterable[str]) -> list[Link]:
    """The places of work of these roles, each once."""
    held = set(roles)
    places = [link for role, link in DESKS.items() if role in held and _exists(link.path)]
    return list(dict.fromkeys(places))


def _current(path: str, here: str) -> str:
    if here == path:
        return "page"
    return "true" if here.startswith(path) else ""


def search_path() -> str:
    """Where the search form leads; empty as long as there is no search."""
    return SEARCH if _exists(SEARCH) else ""
