"""How often one address may do a thing."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.http import HttpRequest
from django.test import RequestFactory

from portal.lib.ratelimit import WAIT, allowed


@pytest.fixture(autouse=True)
def _fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def visit(address: str) -> HttpRequest:
    return RequestFactory().get("/", REMOTE_ADDR=address)


def test_an_address_is_stopped_after_its_limit_and_no_other_is() -> None:
    first, second = visit("192.0.2.1"), visit("192.0.2.2")
    used = [allowed(first, action="search", limit=2, seconds=60) for _ in range(3)]
    assert used == [True, True, False]
    assert first.META[WAIT] == 60
    assert WAIT not in second.META
    assert allowed(second, action="search", limit=2, seconds=60)


def test_a_visitor_with_a_whole_network_of_ipv6_has_one_limit() -> None:
    visits = [visit(f"2001:db8:1:2::{number}") for number in range(3)]
    used = [allowed(request, action="search", limit=2, seconds=60) for request in visits]
    assert used == [True, True, False]
    assert allowed(visit("2001:db8:1:3::1"), action="search", limit=2, seconds=60)


def test_one_action_does_not_use_up_another() -> None:
    request = visit("192.0.2.1")
    assert allowed(request, action="search", limit=1, seconds=60)
    assert not allowed(request, action="search", limit=1, seconds=60)
    assert allowed(request, action="upload", limit=1, seconds=60)


def test_a_counter_that_expires_between_two_looks_lets_the_visitor_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = visit("192.0.2.1")
    assert allowed(request, action="search", limit=1, seconds=60)
    count = cache.incr

    def late(key: str) -> int:
        cache.delete(key)
        return count(key)

    monkeypatch.setattr(cache, "incr", late)
    assert allowed(request, action="search", limit=1, seconds=60)
