"""Every address of the site, asked by every role, compared with the tables in `permissions/`."""

import pkgutil
import re
from collections.abc import Iterator, Mapping, Set
from http.cookies import SimpleCookie
from importlib import import_module
from types import ModuleType

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import permissions
from tests.cast import ROLES, make_person, sign_in
from tests.permissions import EVERYBODY, STAFF, Cast, Page

TABLES = [
    import_module(f"tests.permissions.{module.name}")
    for module in pkgutil.iter_modules(permissions.__path__)
]
PAGES: dict[str, Page] = {name: page for table in TABLES for name, page in table.PAGES.items()}
SKIPPED: dict[str, str] = {
    name: reason for table in TABLES for name, reason in getattr(table, "SKIPPED", {}).items()
}
LOGINS = ("/accounts/login/", "/staff/login/")


def addresses(
    patterns: list[URLPattern | URLResolver], namespace: str = "", route: str = "/"
) -> Iterator[tuple[str, str]]:
    """Name and route of every address below `patterns`."""
    for pattern in patterns:
        here = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            below = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from addresses(pattern.url_patterns, below, here)
        else:
            yield f"{namespace}{pattern.name or ''}", here


Sessions = Mapping[str, SimpleCookie]
ADDRESSES = dict(addresses(get_resolver().url_patterns))
# What staff may do with a row of the admin is the business of each ModelAdmin and its tests.
SHADOWED = {"admin:login", "admin:logout", "admin:jsi18n", "admin:password_change"}
ADMIN = sorted(
    re.sub(r"<[^>]*>|\(\?P.*", "1", route)
    for name, route in addresses(get_resolver().url_patterns)
    if name.startswith("admin:") and name not in SHADOWED
)


@pytest.fixture
def cast(db: None) -> Cast:
    return {name: make_person(name, *grants) for name, grants in ROLES.items()}


@pytest.fixture
def sessions(cast: Cast) -> Sessions:
    """Everybody signs in once; each question is asked by a new client."""
    return {name: sign_in(person).cookies for name, person in cast.items()}


def gets_in(response: HttpResponseBase) -> bool:
    """Whether an answer lets the person in; raises for one that says nothing about that."""
    assert response.status_code not in {405, 500}, f"asked the wrong way: {response.status_code}"
    if response.status_code in {301, 302}:
        return not response.headers["Location"].startswith(LOGINS)
    return response.status_code not in {401, 403, 404}


def let_in(
    sessions: Sessions,
    path: str,
    method: str = "GET",
    data: object = None,
    people: Set[str] = EVERYBODY,
) -> set[str]:
    """Who of `people` gets in; what each does there is undone."""
    cache.clear()  # the counters of throttled addresses
    inside = set()
    for name in sorted(people):
        with transaction.atomic():
            client = Client()
            client.cookies.load(sessions.get(name, {}))
            if gets_in(client.generic(method, path) if not data else client.post(path, data)):
                inside.add(name)
            transaction.set_rollback(True)
    return inside


def ask(name: str, page: Page, cast: Cast, sessions: Sessions) -> set[str]:
    """Who gets in at an address, among things that are made for this question only."""
    with transaction.atomic():
        inside = let_in(
            sessions,
            page.sample(cast) if page.sample else reverse(name),
            page.method,
            page.data,
        )
        transaction.set_rollback(True)
    return inside


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    named = {name for name in ADDRESSES if not name.startswith("admin:")}
    assert named - PAGES.keys() - SKIPPED.keys() == set(), "add a row in tests/permissions/"
    assert PAGES.keys() - named == set(), "rows without an address"
    assert all(SKIPPED.values())
    assert PAGES.keys() & SKIPPED.keys() == set()


def test_every_row_names_people_of_the_cast() -> None:
    assert all(page.who <= EVERYBODY for page in PAGES.values())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__.rpartition(".")[2])
def test_addresses_let_in_whom_their_rows_say(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    wrong = {
        name: (inside, page.who)
        for name, page in sorted(table.PAGES.items())
        if (inside := ask(name, page, cast, sessions)) != page.who
    }
    assert wrong == {}, "address: (who gets in, who should)"


def test_the_staff_pages_keep_everybody_else_out(sessions: Sessions) -> None:
    opened = {
        path: inside
        for path in ADMIN
        if (inside := let_in(sessions, path, people=EVERYBODY - STAFF))
    }
    assert opened == {}


def test_the_staff_pages_open_for_staff(sessions: Sessions) -> None:
    assert let_in(sessions, "/staff/") == STAFF
