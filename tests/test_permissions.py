"""Every address of the site, asked by every role, compared with the tables in `permissions/`.

Roles only open doors: who has all that shall not open one, and stays out, speaks for each of them.
So an ordinary run asks by few; the proof asks by everybody, each address by each role.
"""

import logging
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from http.cookies import SimpleCookie
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.template.backends.django import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from portal.accounts.models import RoleGrant, User
from portal.lib import kept
from tests import permissions
from tests.cast import ROLES, make_person, sign_in
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page, Place
from tests.shared import shared

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
OUTSIDER = "outsider"  # holds what roles a question gives them
ADDRESSES = dict(addresses(get_resolver().url_patterns))
# What staff may do with a row of the admin is the business of each ModelAdmin and its tests.
SHADOWED = {"admin:login", "admin:logout", "admin:jsi18n", "admin:password_change"}
ADMIN = sorted(
    re.sub(r"<[^>]*>|\(\?P.*", "1", route)
    for name, route in addresses(get_resolver().url_patterns)
    if name.startswith("admin:") and name not in SHADOWED
)


@shared
def cast() -> Cast:
    return {name: make_person(name, *grants) for name, grants in ROLES.items()}


@shared
def sessions(cast: Cast, outsider: User) -> Sessions:
    """Everybody signs in once; each question is asked with these cookies and no others."""
    people = {**cast, OUTSIDER: outsider}
    return {name: sign_in(person).cookies for name, person in people.items()}


def give_only(user: User, names: Set[str]) -> None:
    """The roles of these people of the cast, and no others."""
    now = timezone.now()
    RoleGrant.objects.of(user).delete()
    RoleGrant.objects.bulk_create(
        RoleGrant(user=user, role=role, scope_kind=kind, scope_slug=slug, since=now)
        for role, kind, slug in {grant for name in names for grant in ROLES[name]}
    )


@shared
def outsider() -> User:
    """Nobody of the cast, and with a second factor, as people with roles have."""
    return make_person(OUTSIDER, *ROLES["contributor"])


def gets_in(response: HttpResponseBase) -> bool:
    """Whether an answer lets the person in; raises for one that says nothing about that."""
    assert response.status_code not in {405, 500}, f"asked the wrong way: {response.status_code}"
    if response.status_code in {301, 302}:
        return not response.headers["Location"].startswith(LOGINS)
    return response.status_code not in {401, 403, 404}


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def let_in(
    sessions: Sessions,
    path: str,
    method: str = "GET",
    data: object = None,
    people: Set[str] = EVERYBODY,
) -> set[str]:
    """Who of `people` gets in; what each does there is undone."""
    cache.clear()  # the counters of throttled addresses
    inside, client = set(), Client()
    for name in sorted(people):
        with undone():
            client.cookies = SimpleCookie(sessions.get(name, {}))
            if gets_in(client.generic(method, path) if not data else client.post(path, data)):
                inside.add(name)
    return inside


Question = Callable[[str, Page], tuple[Set[str], Set[str]]]  # who gets in at a path, who should


def ask(pages: Mapping[str, Page], cast: Cast, question: Question) -> dict[str, object]:
    """The answers that are wrong. Each address is asked for among things that are made for it, or
    for its `Place`.
    """
    shared: dict[Callable[[Cast], object] | None, dict[str, Page]] = defaultdict(dict)
    wrong: dict[str, object] = {}
    for name, page in sorted(pages.items()):
        shared[page.sample.make if isinstance(page.sample, Place) else None][name] = page
    for make, there in shared.items():
        with undone():
            made = make(cast) if make else None
            for name, page in there.items():
                with undone():
                    inside, should = question(where(name, page, cast, made), page)
                    if inside != should:
                        wrong[name] = inside, should
    return wrong


def where(name: str, page: Page, cast: Cast, made: object) -> str:
    if isinstance(page.sample, Place):
        return page.sample.path(made)
    return page.sample(cast) if page.sample else reverse(name)


@pytest.fixture
def _pages_are_not_written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only whether somebody gets in is asked: views run whole, their pages stay empty. None of
    these is kept for the tests that read them.
    """
    render = Template.render

    def nothing(
        page: Template, context: dict[str, Any] | None = None, request: HttpRequest | None = None
    ) -> str:
        return render(page, context, None) if request is None else ""

    monkeypatch.setattr(Template, "render", nothing)
    # Thousands are refused as they shall be; none of that needs to be written down.
    monkeypatch.setattr(logging.getLogger("django.request"), "disabled", True)
    yield
    kept.SHELF.clear()


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    named = {name for name in ADDRESSES if not name.startswith("admin:")}
    assert named - PAGES.keys() - SKIPPED.keys() == set(), "add a row in tests/permissions/"
    assert PAGES.keys() - named == set(), "rows without an address"
    assert all(SKIPPED.values())
    assert PAGES.keys() & SKIPPED.keys() == set()


def test_every_row_names_people_of_the_cast() -> None:
    assert all(page.who <= EVERYBODY for page in PAGES.values())


every_table = pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: table.__name__.rpartition(".")[2]
)


@pytest.mark.usefixtures("_pages_are_not_written")
@every_table
def test_addresses_let_in_the_roles_of_their_rows_and_not_all_others_together(
    table: ModuleType, cast: Cast, sessions: Sessions, outsider: User
) -> None:
    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        barred = SIGNED_IN - page.who
        give_only(outsider, barred or SIGNED_IN)
        people = {"anonymous", "charlie", OUTSIDER, *(page.who if barred else ())}
        if barred == {"charlie"}:
            people -= {OUTSIDER}  # no role is left for them
        should = (page.who if barred else page.who | {OUTSIDER}) & people
        return let_in(sessions, path, page.method, page.data, people), should

    assert ask(table.PAGES, cast, question) == {}, "address: (who gets in, who should)"


@pytest.mark.proof
@pytest.mark.usefixtures("_pages_are_not_written")
@every_table
def test_addresses_let_in_whom_their_rows_say(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        return let_in(sessions, path, page.method, page.data), page.who

    assert ask(table.PAGES, cast, question) == {}, "address: (who gets in, who should)"


def test_the_staff_pages_keep_everybody_else_out(sessions: Sessions, outsider: User) -> None:
    give_only(outsider, ROLES.keys() - STAFF)
    people = {OUTSIDER, "anonymous"}
    opened = {path: inside for path in ADMIN if (inside := let_in(sessions, path, people=people))}
    assert opened == {}


def test_the_staff_pages_open_for_staff(sessions: Sessions) -> None:
    assert let_in(sessions, "/staff/") == STAFF
