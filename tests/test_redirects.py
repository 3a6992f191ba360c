"""No form of the site leads to another site, whatever stands in `next`."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from portal.accounts.models import User
from tests.cast import PASSWORD, make_person, sign_in
from tests.test_permissions import addresses

pytestmark = pytest.mark.django_db
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "///evil.example/",
    "https:evil.example",
    "\thttps://evil.example/",
    "javascript:alert(1)//evil.example",
    "http://testserver@evil.example/",
)
NAMES = ("next", "redirect_to", "return_to", "url")
# Every address that needs no argument: forms of ours and those of the library and the admin.
PATHS = sorted(
    route
    for name, route in addresses(get_resolver().url_patterns)
    if "<" not in route and "(?P" not in route and "api" not in route
)


def leaves(location: str) -> bool:
    """Whether a browser that follows it ends on the other site."""
    place = location.replace("\\", "/").strip().split("?")[0]
    return "evil.example" in place


@pytest.mark.parametrize("target", ELSEWHERE)
def test_a_login_does_not_lead_away(target: str, client: Client) -> None:
    charlie = make_person("charlie")
    for door in ("/accounts/login/", "/staff/login/"):
        opened = client.get(f"{door}?next={quote(target)}", follow=True)
        assert not any(leaves(place) for place, _ in opened.redirect_chain)
        at = opened.request["PATH_INFO"]
        answer = client.post(
            f"{at}?next={quote(target)}",
            {"login": charlie.email, "password": PASSWORD, "next": target},
        )
        assert answer.status_code == 302
        assert not leaves(answer["Location"])
        client.logout()


@pytest.mark.parametrize("target", ELSEWHERE)
def test_going_back_after_a_choice_does_not_lead_away(target: str, client: Client) -> None:
    for path in ("/theme/", "/language/", "/accounts/logout/"):
        answer = client.post(path, {"next": target, "theme": "dark", "language": "de"})
        assert not leaves(answer.headers.get("Location", ""))


@pytest.mark.proof  # more than a hundred addresses, twice
def test_no_address_follows_where_a_stranger_points(frank: User) -> None:
    """All of them, as somebody who may open most, by query and by form."""
    asked = dict.fromkeys(NAMES, ELSEWHERE[1])
    led_away = set()
    for path in PATHS:
        cache.clear()
        for method in ("get", "post"):
            with transaction.atomic():
                client = sign_in(frank)
                answer = getattr(client, method)(path, asked)
                transaction.set_rollback(True)
            if leaves(answer.headers.get("Location", "")):
                led_away.add((method, path))
    assert led_away == set()
    assert len(PATHS) > 60
