"""Events of others, events that wait, and two that come at the same moment."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.lib.money import Money
from portal.payments.actions.event import handle_event, store_event
from portal.payments.actions.order import place_order
from portal.payments.actions.subscription import begin_subscription, locked_subscription_of
from portal.payments.models import (
    Customer,
    FailedCharge,
    LedgerEntry,
    Order,
    ProviderEvent,
    Subscription,
)
from portal.payments.tests.factories import PRICE, make_customer, make_order
from portal.payments.tests.histories import events_of
from portal.payments.tests.scene import Scene
from portal.payments.tests.shapes import Thing
from portal.payments.tests.stories import STORIES


def handled(event: Thing) -> ProviderEvent:
    stored = store_event(provider="twin", event=event)
    handle_event(event_pk=stored.pk, at=timezone.now())
    stored.refresh_from_db()
    return stored


@pytest.mark.django_db
@pytest.mark.parametrize("reference", ["", "cart-17", "0b5a3c5e-8d1e-4f3e-9a53-0a7f8f1f0d11"])
@pytest.mark.parametrize(
    "name", ["card expired, then retried", "invoice voided", "declined, then paid"]
)
def test_what_is_told_of_others_touches_nothing(name: str, reference: str) -> None:
    scene = Scene(reference, Money(100_00, "EUR"), subscription=reference, invoice="INV-1")
    STORIES[name](scene)
    assert {handled(event).outcome for event in scene.events} == {"ignored"}
    assert not LedgerEntry.objects.exists()
    assert not FailedCharge.objects.exists()


@pytest.mark.django_db
def test_a_refund_of_others_waits_for_thirty_days_and_not_longer() -> None:
    scene = Scene("r", Money(100_00, "EUR"))
    scene.refund("created", 100, 0, made=0)
    waiting = handled(scene.events[0])
    assert (waiting.outcome, waiting.handled_at) == ("waiting", None)
    ProviderEvent.objects.update(received_at=timezone.now() - timedelta(days=31))
    handle_event(event_pk=waiting.pk, at=timezone.now())
    waiting.refresh_from_db()
    assert waiting.outcome == "ignored"


@pytest.mark.django_db
def test_a_subscription_is_begun_once_and_learns_its_customer() -> None:
    order = make_order(customer=make_customer(customer_id=""))
    begun = [
        begin_subscription(actor=None, order=order, provider="twin", price=PRICE, interval="year")
        for _ in range(2)
    ]
    assert begun[0] == begun[1]
    assert locked_subscription_of("cart-17") is None
    for event in events_of("subscribed", order):
        handled(event)
    assert Customer.objects.get().customer_id == "cus_1"
    assert Order.objects.get().customer == Customer.objects.get()


@pytest.mark.django_db
def test_a_failed_invoice_that_we_sent_is_kept_with_its_order() -> None:
    order = make_order()
    scene = Scene(str(order.reference), order.amount)
    scene.bill("payment_failed", 0, attempt_count=1, next_payment_attempt=None)
    assert handled(scene.events[0]).outcome == "booked"
    assert FailedCharge.objects.get().order == order


@pytest.mark.django_db
def test_an_order_without_tax_knows_no_treatment() -> None:
    order = place_order(
        actor=None, description="x", amount=PRICE, billing_name="Acme", billing_email="a@b.example"
    )
    assert (order.net, order.tax, order.tax_treatment) == (PRICE, Money(0, "EUR"), "untaxed")


@pytest.mark.django_db(transaction=True)
def test_an_event_is_stored_by_one_statement_and_only_once() -> None:
    """Whoever answers a hundred of them a second has no time to begin and end a transaction."""
    event = {"id": "evt_1", "type": "customer.created", "data": {}}
    with CaptureQueriesContext(connection) as asked:
        first = store_event(provider="twin", event=event)
    assert len(asked) == 1
    assert store_event(provider="twin", event=event) == first
    assert ProviderEvent.objects.get() == first


@pytest.mark.django_db(transaction=True)
def test_events_of_one_payment_at_the_same_moment_book_it_once() -> None:
    """Session, subscription and both events of the invoice, each in a connection of its own."""
    order = make_order()
    stored = [
        store_event(provider="twin", event=event).pk for event in events_of("subscribed", order)
    ]
    failures: list[Exception] = []
    start = threading.Barrier(len(stored))

    def handle(pk: int) -> None:
        try:
            start.wait()
            handle_event(event_pk=pk, at=timezone.now())
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=handle, args=[pk]) for pk in stored]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert LedgerEntry.objects.count() == 1
    found: Any = Subscription.objects.get()
    assert (found.state, found.subscription_id, found.orders.get().state) == (
        *("active", "sub_1", "paid"),
    )
