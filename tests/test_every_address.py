"""What holds at every address of the site, of the tables in `permissions/`: what its answers say to
browsers and caches, which cookies they set, which methods they take, and that no form is taken from
another site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from http.cookies import Morsel, SimpleCookie
from types import ModuleType
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponseBase
from django.test import Client

from tests.cast import ROLES
from tests.permissions import Cast, Page
from tests.test_headers import faults_of_headers
from tests.test_permissions import TABLES, Sessions, ask, cast, outsider, sessions, undone
from tests.test_redirects import ELSEWHERE, NAMES, leaves

pytestmark = [
    pytest.mark.proof,  # some hundred addresses, each asked several times
    pytest.mark.django_db,
    pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__.rpartition(".")[2]),
]
__all__ = ["cast", "outsider", "sessions"]  # fixtures
# Who is asked for: the first of these who gets in, and nobody.
PEOPLE = ("frank", "erin", *ROLES)
# Forms that are taken without a token of this site, each with what protects it instead.
WITHOUT_TOKEN = {
    "theme": "it keeps a colour, and nothing else",
    "language": "it keeps a language; a session of another site is not sent (SameSite)",
    "csp_report": "it writes a line to the log",
    "stripe_webhook": "the signature of the provider",
    **dict.fromkeys(
        (
            "feedback:post",
            "feedback:post_slash",
            "feedback:plugin_post",
            "feedback:plugin_post_slash",
        ),
        "reports come from servers",
    ),
    "governance:ballots": "a ballot proves itself, and its sender is nobody",
    "members:unsubscribe": "the signed link of a letter",
}
STRANGE = ("TRACE", "PROPFIND", "CONNECT", "FOO")
# What pages take from the query, and values that no page can mean.
ASKED = re.findall(
    r"\w+",
    "after all as at body by case clause cpu currency declined entry find first for format from"
    " key kind last line meeting mirror month number often on os outcome page product q reason show"
    " side since sort state suite to token trust until a b pick",
)
HOSTILE = (
    "\u00e9'\"\\%_<script>{{7*7}}\U0001f600",
    "-1",
    "9" * 25,
    "9999-12-31",
    "0001-01-01",
    "a" * 2000,
)
SESSION, CSRF = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
OF_VISITORS = {CSRF, "theme", settings.LANGUAGE_COOKIE_NAME, "messages"}
OF_PEOPLE = {*OF_VISITORS, SESSION}
# Where a session of a stranger begins: the signed link of a letter opens a donation, and the
# library keeps what was asked for until somebody has signed in.
REMEMBERS = re.compile(r"donations:open_link|sponsors:resume|(?:mfa|account)_\w+")
AWAY = 503  # a process beside the site is not there: elections have two


def cookies_of(page: Page, sessions: Sessions) -> Iterator[tuple[str, SimpleCookie]]:
    """Nobody, and somebody who gets in."""
    yield "anonymous", SimpleCookie()
    name = next((name for name in PEOPLE if name in page.who), "charlie")
    yield name, SimpleCookie(sessions[name])


def client_with(cookies: SimpleCookie, *, checks_forms: bool = False) -> Client:
    cache.clear()  # the counters of throttled addresses
    client = Client(enforce_csrf_checks=checks_forms, raise_request_exception=False)
    client.cookies = cookies
    return client


def fault_of_cookie(cookie: Morsel[str], allowed: Set[str]) -> str:
    if not cookie.value:  # it is taken away
        return ""
    if cookie.key not in allowed:
        return f"sets the cookie {cookie.key}"
    if not cookie["httponly"] and cookie.key != "theme":
        return f"lets scripts read {cookie.key}"
    return "" if cookie["samesite"] == "Lax" else f"sends {cookie.key} from other sites"


def fault_of_caching(answer: HttpResponseBase) -> str:
    """What differs by visitor is kept by no cache that others read; `public` is what a view says
    of bytes that are the same for everybody.
    """
    told = answer.headers.get("Cache-Control", "")
    if "cookie" not in answer.headers.get("Vary", "").lower():
        return ""
    return (
        "" if re.search(r"private|no-store|public", told) else f"may be kept for others: “{told}”"
    )


def faults(answer: HttpResponseBase, who: str, name: str) -> Iterator[str]:
    if answer.status_code >= 500 and answer.status_code != AWAY:
        yield f"answers {answer.status_code}"
    yield from faults_of_headers(answer)
    allowed = OF_VISITORS if who == "anonymous" and not REMEMBERS.fullmatch(name) else OF_PEOPLE
    yield from filter(None, (fault_of_cookie(one, allowed) for one in answer.cookies.values()))
    if who != "anonymous":
        yield from filter(None, [fault_of_caching(answer)])
    place = answer.headers.get("Location", "")
    if leaves(place) or urlsplit(place).netloc not in {"", "testserver"}:
        yield f"leads to {place}"


def test_every_answer_is_safe_to_open_to_keep_and_to_follow(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    """For nobody and for somebody who gets in, with the names of redirects pointing elsewhere."""
    wanted = dict.fromkeys(NAMES, ELSEWHERE[0])

    names = {id(page): name for name, page in table.PAGES.items()}

    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        found, name = set(), names[id(page)]
        for who, cookies in cookies_of(page, sessions):
            for method in ("get", "post"):
                with undone():
                    client = client_with(SimpleCookie(cookies))
                    answer = getattr(client, method)(path, wanted)
                    found |= {f"{method} by {who}: {fault}" for fault in faults(answer, who, name)}
        return found, set()

    assert ask(table.PAGES, cast, question) == {}


def test_no_form_is_taken_without_a_token_of_this_site(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        _nobody, (_who, cookies) = cookies_of(page, sessions)
        with undone():
            answer = client_with(cookies, checks_forms=True).post(path, dict(page.data))
        return ({"refused"} if answer.status_code in {403, 405} else {str(answer.status_code)}), {
            "refused"
        }

    pages = {
        name: page
        for name, page in table.PAGES.items()
        if name not in WITHOUT_TOKEN and not name.startswith("api:")
    }
    assert ask(pages, cast, question) == {}


def test_methods_that_no_page_knows_are_refused(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        _nobody, (_who, cookies) = cookies_of(page, sessions)
        taken = set()
        for method in STRANGE:
            with undone():
                answer = client_with(cookies).generic(method, path)
                if answer.status_code not in {302, 400, 401, 403, 404, 405, 410}:
                    taken.add(f"{method}: {answer.status_code}")
        return taken, set()

    assert ask(table.PAGES, cast, question) == {}


def test_no_question_is_answered_with_an_error(
    table: ModuleType, cast: Cast, sessions: Sessions
) -> None:
    """Whatever stands in the query, in place of a number in the path, and in a form."""

    def question(path: str, page: Page) -> tuple[Set[str], Set[str]]:
        _nobody, (_who, cookies) = cookies_of(page, sessions)
        numberless = "/".join(HOSTILE[2] if part.isdigit() else part for part in path.split("/"))
        asked = [(path, value) for value in HOSTILE]
        asked += [(numberless, "")] if numberless != path else []
        errors = set()
        for address, value in asked:
            for method in ("get", "post") if page.method == "POST" else ("get",):
                with undone():
                    client = client_with(SimpleCookie(cookies))
                    answer = getattr(client, method)(address, dict.fromkeys(ASKED, value))
                    if answer.status_code >= 500 and answer.status_code != AWAY:
                        errors.add(f"{method} {address[:80]} {value[:20]}: {answer.status_code}")
        return errors, set()

    assert ask(table.PAGES, cast, question) == {}
