"""A hundred webhooks a second for ten seconds: all answered, each handled exactly once."""

from __future__ import annotations

import json

import pytest

from tests.publisher import wait_for
from tests.stack import Stack
from tests.webhooks import DISTINCT, deliver, deliveries, percentile

pytestmark = pytest.mark.proof
ORDERS, RATE = 200, 100
PLACE = "import json; from tests.webhooks import place; print(json.dumps(place({count})))"
LETTERS = "SELECT count(*) FROM lib_outboxmail WHERE starts_with(key, 'application.{kind}:')"


def test_a_hundred_webhooks_a_second_are_answered_and_handled_once(stack: Stack) -> None:
    said = stack.manage("shell", "--verbosity=0", "--command", PLACE.format(count=ORDERS))
    placed = [(str(reference), int(minor)) for reference, minor in json.loads(said)]
    bodies = deliveries(placed, "rate")
    assert len(bodies) == 10 * RATE
    before = [stack.sql(LETTERS.format(kind=kind))[0][0] for kind in ("paid", "refunded")]
    secret = stack.env["STRIPE_WEBHOOK_SECRET"]
    answers = deliver(int(stack.env["WEB_PORT"]), bodies, secret, rate=RATE)
    assert {answer.status for answer in answers} == {200}
    wait_for(lambda: unhandled(stack) == 0, 120)
    print(f"p50 {percentile(answers, 0.5):.3f} s, p99 {percentile(answers, 0.99):.3f} s")  # noqa: T201 - seen with -s
    references = [reference for reference, _ in placed]
    minor = placed[0][1]
    assert books(stack, references) == [
        ("payment", ORDERS, ORDERS * minor),
        ("refund", ORDERS, -ORDERS * (minor // 4)),
    ]
    events = "SELECT count(*), min(attempts) FROM payments_providerevent WHERE event_id LIKE %s"
    assert stack.sql(events, ("evt_rate%",))[0][0] == ORDERS * DISTINCT
    assert states(stack, references) == [("active", "partly_refunded", ORDERS)]
    after = [stack.sql(LETTERS.format(kind=kind))[0][0] for kind in ("paid", "refunded")]
    assert [new - old for new, old in zip(after, before, strict=True)] == [ORDERS, ORDERS]


def unhandled(stack: Stack) -> object:
    return stack.sql("SELECT count(*) FROM payments_providerevent WHERE handled_at IS NULL")[0][0]


def books(stack: Stack, references: list[str]) -> list[tuple[object, ...]]:
    return stack.sql(
        "SELECT e.kind, count(*), sum(e.amount_minor)::bigint FROM payments_ledgerentry e"
        " JOIN payments_order o ON o.id = e.order_id WHERE o.reference = ANY(%s::uuid[])"
        " GROUP BY 1 ORDER BY 1",
        (references,),
    )


def states(stack: Stack, references: list[str]) -> list[tuple[object, ...]]:
    """How many applications have which state, each with its order's and one term."""
    return stack.sql(
        "SELECT a.state, o.state, count(*) FROM sponsors_application a"
        " JOIN payments_order o ON o.id = a.order_id JOIN members_term t ON t.order_id = o.id"
        " WHERE o.reference = ANY(%s::uuid[]) GROUP BY 1, 2",
        (references,),
    )
