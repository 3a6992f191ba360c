"""How shapes of events are read, old ones and new ones, and those that mean nothing to us."""

from datetime import UTC, datetime
from typing import Any

import pytest

from portal.lib.money import Money
from portal.payments.events import MalformedEventError, read
from portal.payments.events.facts import InvoicePaid, Named, SubscriptionTold
from portal.payments.events.invoices import read_invoice
from portal.payments.providers import movements
from portal.payments.tests.scene import START, Scene
from portal.payments.tests.shapes import Thing, event, shaped
from portal.payments.tests.stories import STORIES

AT = datetime.fromtimestamp(START, UTC)


def told(kind: str, thing: Thing) -> Any:
    return read(event(kind, thing, event_id="evt_1", at=START))


def test_a_story_cannot_invent_a_field() -> None:
    with pytest.raises(KeyError, match="has no"):
        shaped("refund", prize=1)


@pytest.mark.parametrize("name", STORIES)
def test_every_event_of_a_story_is_read_or_means_nothing(name: str) -> None:
    scene = Scene("r", Money(100_00, "EUR"), subscription="s", invoice="i")
    STORIES[name](scene)
    unread = {body["type"] for body in scene.events if read(body) is None}
    assert unread <= {"payment_intent.succeeded"}


@pytest.mark.parametrize(
    ("kind", "thing"),
    [
        ("checkout.session.completed", {"status": "complete", "payment_status": "paid"}),
        ("checkout.session.completed", {"id": 7, "status": "complete"}),
        ("invoice.paid", {"id": "in_1", "amount_paid": "100", "currency": "eur"}),
        ("invoice.paid", {"id": "in_1", "amount_paid": 100, "currency": "xxx"}),
        ("customer.subscription.updated", {"id": "sub_1", "status": "active", "items": {}}),
        ("charge.dispute.created", {"id": "du_1", "amount": 1, "currency": "eur"}),
        ("refund.created", {"id": "re_1", "payment_intent": "pi_1", "amount": True}),
        ("invoice_payment.paid", {"id": "inpay_1"}),
    ],
)
def test_a_known_type_without_what_it_must_have_is_malformed(kind: str, thing: Thing) -> None:
    body = {"id": "evt_1", "type": kind, "created": START, "data": {"object": thing}}
    with pytest.raises(MalformedEventError):
        read(body)
    with pytest.raises(MalformedEventError):
        read(body | {"data": None})


def test_an_unknown_type_means_nothing() -> None:
    assert read({"type": "product.created"}) is None


def test_an_invoice_of_nothing_is_no_payment() -> None:
    assert told("invoice.paid", shaped("invoice", amount_paid=0, status="paid")) is None
    assert told("invoice.paid", shaped("invoice", amount_paid=5, status="open")) is None


@pytest.mark.parametrize(
    "payment",
    [{"payment_intent": "pi_1"}, {"payment_intent": {"id": "pi_1", "object": "payment_intent"}}],
)
def test_an_expanded_invoice_names_its_payment(payment: Thing) -> None:
    thing = shaped("invoice", id="in_1", amount_paid=5, status="paid", currency="eur")
    thing["payments"] = {"object": "list", "data": [{"payment": payment}]}
    fact = read_invoice(thing, AT)
    assert isinstance(fact, InvoicePaid)
    assert fact.names == ("pi_1",)
    assert read_invoice(shaped("invoice", status="draft"), AT) is None


def test_an_invoice_that_was_paid_outside_names_nothing() -> None:
    outside = {"type": "payment_record", "payment_record": "pr_1"}
    thing = shaped("invoice_payment", invoice="in_1") | {"payment": outside}
    assert told("invoice_payment.paid", thing) is None


def test_a_charge_names_its_intent_and_an_older_one_its_invoice() -> None:
    thing = shaped("charge", id="ch_1", payment_intent="pi_1", invoice="in_1")
    assert told("charge.succeeded", thing) == Named(("in_1", "pi_1", "ch_1"))
    assert told("charge.succeeded", shaped("charge", payment_intent=None)) is None


def test_a_refund_of_no_payment_means_nothing() -> None:
    thing = shaped("refund", payment_intent=None, charge=None)
    assert told("refund.created", thing) is None
    assert list(movements.of_refund(shaped("refund", status="failed"))) == []


def test_items_of_a_subscription_add_up_and_steps_have_no_price() -> None:
    item = shaped("subscription")["items"]["data"][0]
    steps = item | {"price": item["price"] | {"unit_amount": None}}
    double = item | {"quantity": 2}
    thing = shaped("subscription", items={"data": [item, double, steps]})
    fact = told("customer.subscription.updated", thing)
    assert isinstance(fact, SubscriptionTold)
    assert fact.price == Money(3 * item["price"]["unit_amount"], "USD")


def test_what_moved_is_told_by_charges_refunds_and_disputes() -> None:
    charge = shaped("charge", id="ch_1", payment_intent="pi_1", paid=True, status="succeeded")
    [payment] = movements.of_charge(charge | {"currency": "nok"})
    assert (payment.ref, payment.names, payment.currency) == ("pi_1", ("pi_1", "ch_1"), "NOK")
    assert list(movements.of_charge(charge | {"status": "failed"})) == []
    scene = Scene("r", Money(100_00, "EUR"))
    scene.dispute("closed", "won", 0, moved=2)
    moved = list(movements.of_dispute(scene.events[0]["data"]["object"]))
    assert [(row.kind, row.minor) for row in moved] == [
        ("dispute", -100_00),
        ("dispute_returned", 100_00),
    ]
