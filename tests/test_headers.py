"""What every answer says to the browser about safety; `test_every_address.py` asks all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpResponseBase
from django.test import Client

CSP = "Content-Security-Policy"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "report-uri": "/csp-report/",
}
# Pictures are shut in still more: nothing runs in them. Other sites may show some.
SHUT_IN = re.compile(r"default-src 'none'; (?:img-src data:; frame-ancestors \*; )?sandbox")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def faults_of_headers(answer: HttpResponseBase) -> Iterator[str]:
    """What an answer leaves out, or says otherwise."""
    headers = answer.headers
    told = dict(part.strip().partition(" ")[::2] for part in headers.get(CSP, "").split(";"))
    forms = told.pop("form-action", "").split()
    strict = told == POLICY and forms == ["'self'", *settings.PAYMENT_PAGE_ORIGINS]
    if not strict and not SHUT_IN.fullmatch(headers.get(CSP, "")):
        yield f"its policy is “{headers.get(CSP, '')}”"
    for name, value in HEADERS.items():
        if headers.get(name) != value:
            yield f"{name} is “{headers.get(name, '')}”"
    kind = headers.get("Content-Type", "")
    if kind.startswith("text/") and "charset" not in kind:
        yield f"it does not say how “{kind}” is written"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *("/", "/news/", "/styleguide/", "/accounts/login/", "/accounts/signup/", "/staff/"),
        *("/api/v1/openapi.json", "/api/v1/docs", "/nowhere/", "/health/live", "/accounts/2fa/"),
    ],
)
def test_every_answer_carries_the_strict_policy(path: str, client: Client) -> None:
    assert list(faults_of_headers(client.get(path))) == []


def test_answers_of_middleware_carry_it_too(client: Client) -> None:
    """Those that no view gives: a method that an interface for programs does not take, a NUL."""
    for answer in (client.post("/robots.txt"), client.post("/x/manifest.json"), client.get("/%00")):
        assert answer.status_code in {400, 403, 404, 405}
        assert list(faults_of_headers(answer)) == []


@pytest.mark.django_db
def test_cookies_of_a_session_are_out_of_reach_of_scripts_and_other_sites(client: Client) -> None:
    client.post("/accounts/login/", {"login": "x@example.org", "password": "x"})
    client.get("/accounts/login/")
    for cookie in client.cookies.values():
        assert cookie["httponly"] or cookie.key == "theme"
        assert cookie["samesite"] == "Lax"
