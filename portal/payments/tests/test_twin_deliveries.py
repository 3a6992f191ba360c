"""What the twin delivers, and what a person may ask of its deliveries."""

from typing import Any

import pytest

from portal.payments.providers.twin import TwinProvider
from portal.payments.tests.twin_client import deliveries, due, get, opened, post, request

PAID = [
    *("payment_intent.created", "charge.succeeded"),
    *("payment_intent.succeeded", "checkout.session.completed"),
]


def test_events_are_doubled_held_and_reversed_on_request(twin: Any, source: TwinProvider) -> None:
    post(f"{twin.url}/deliveries/", mode="twice")
    post(opened(source).url, outcome="paid")
    assert due(twin) == [kind for kind in PAID for _ in range(2)]
    post(f"{twin.url}/deliveries/", mode="held")
    post(source.create_checkout(request(attempt=1)).url, outcome="paid")
    assert deliveries(twin) == 12
    assert len(due(twin)) == 8
    assert "4 are held back" in get(f"{twin.url}/")[1]
    post(f"{twin.url}/deliveries/", mode="once")
    assert due(twin)[8:] == list(reversed(PAID))
    assert post(f"{twin.url}/deliveries/", mode="never")[0] == 400


@pytest.mark.parametrize(("way", "expected"), [("forward", PAID), ("reverse", PAID[::-1])])
def test_what_is_held_leaves_in_the_sequence_that_is_asked_for(
    twin: Any, source: TwinProvider, way: str, expected: list[str]
) -> None:
    post(f"{twin.url}/deliveries/", mode="held")
    post(opened(source).url, outcome="paid")
    assert due(twin) == []
    post(f"{twin.url}/deliveries/", release=way)
    assert due(twin) == expected


def test_a_failed_delivery_gets_a_later_turn(twin: Any, source: TwinProvider) -> None:
    post(opened(source).url, outcome="paid")
    twin.courier.deliver_due()
    assert deliveries(twin) == 4
    post(f"{twin.url}/sessions/{opened(source).session_id}/redeliver")
    assert deliveries(twin) == 8
