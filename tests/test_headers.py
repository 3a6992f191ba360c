"""What every answer says to the browser about safety."""

import pytest
from django.conf import settings
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


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *("/", "/news/", "/styleguide/", "/accounts/login/", "/accounts/signup/", "/staff/"),
        *("/api/v1/openapi.json", "/api/v1/docs", "/nowhere/", "/health/live", "/accounts/2fa/"),
    ],
)
def test_every_answer_carries_the_strict_policy(path: str, client: Client) -> None:
    headers = client.get(path).headers
    told = dict(part.strip().partition(" ")[::2] for part in headers[CSP].split(";"))
    forms = told.pop("form-action").split()
    assert told == POLICY
    assert forms == ["'self'", *settings.PAYMENT_PAGE_ORIGINS]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_cookies_of_a_session_are_out_of_reach_of_scripts_and_other_sites(client: Client) -> None:
    client.post("/accounts/login/", {"login": "x@example.org", "password": "x"})
    client.get("/accounts/login/")
    for cookie in client.cookies.values():
        assert cookie["httponly"] or cookie.key == "theme"
        assert cookie["samesite"] == "Lax"
