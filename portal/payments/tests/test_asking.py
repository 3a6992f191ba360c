"""What is asked for is booked as what is told: a webhook that never comes is only late."""

from typing import Any

import pytest
from django.utils import timezone

from portal.payments.actions.checkout import apply_session, record_checkout
from portal.payments.actions.provider_invoice import book_asked_invoice
from portal.payments.actions.subscription import apply_subscription
from portal.payments.models import LedgerEntry, Order, Subscription
from portal.payments.providers import HostedInvoice
from portal.payments.providers.asking import Asked, asked_about
from portal.payments.tests.factories import make_order, make_subscription
from portal.payments.tests.histories import books, counts, events_of, play
from portal.payments.tests.shapes import Thing

pytestmark = pytest.mark.django_db


class Answering:
    """A provider that answers with the objects of a story's events."""

    def __init__(self, events: list[Thing]) -> None:
        self.things: dict[str, Thing] = {
            thing["id"]: thing for event in events if (thing := event["data"]["object"])
        }

    def fetch_subscription(self, subscription_id: str) -> Thing:
        return self.things[subscription_id]

    def fetch_invoice(self, invoice_id: str) -> HostedInvoice:
        return HostedInvoice(invoice_id, "", self.things[invoice_id])


def asked(name: str) -> tuple[Order, Asked]:
    order = make_order()
    source: Any = Answering(events_of(name, order))
    return order, asked_about(source, source.things["cs_1"])


def test_a_subscription_whose_events_never_came_is_booked_when_it_is_asked_for() -> None:
    order, answer = asked("subscribed")
    page = record_checkout(actor=None, order=order, provider="twin", session_id="cs_1", url="")
    for _ in range(2):
        touched = apply_session(checkout=page, asked=answer, at=timezone.now())
        assert touched.orders[0] == order
    order.refresh_from_db()
    [subscription] = Subscription.objects.all()
    assert (order.state, order.provider_invoice_id) == ("paid", "in_1")
    assert (subscription.state, subscription.subscription_id) == ("active", "sub_1")
    assert order.customer is not None
    assert LedgerEntry.objects.count() == 1


def test_a_payment_needs_no_more_than_its_session() -> None:
    order, answer = asked("paid at once")
    page = record_checkout(actor=None, order=order, provider="twin", session_id="cs_1", url="")
    apply_session(checkout=page, asked=answer, at=timezone.now())
    assert (answer.subscription, answer.invoice) == ({}, {})
    assert Order.objects.get().state == "paid"


@pytest.mark.parametrize("name", ["invoice paid late", "invoice voided"])
def test_an_invoice_that_is_asked_for_says_what_its_events_said(name: str) -> None:
    told: Any = play(name, make_order, list(range(counts()[name])))
    order = make_order()
    seen: Thing = {}
    for event in events_of(name, order):
        if event["type"].startswith("invoice."):
            seen = event["data"]["object"]
            book_asked_invoice("twin", seen, timezone.now())
    asked_for: Any = books()
    assert [row[:4] for row in asked_for["ledger"]] == [row[:4] for row in told["ledger"]]
    assert order.invoices.get().provider_invoice_id == "in_1"
    assert (order.invoices.get().voided_at is None) == (name == "invoice paid late")
    assert not book_asked_invoice("twin", seen | {"status": "draft"}, timezone.now())


def test_an_answer_about_a_subscription_is_kept_and_logged() -> None:
    order = make_order()
    raw = events_of("cancelled here", order)[-1]["data"]["object"]
    subscription = order.subscription
    assert subscription is not None
    after = apply_subscription(actor=None, subscription=subscription, raw=raw, at=timezone.now())
    assert (after.state, after.is_over) == ("canceled", True)
    with pytest.raises(ValueError, match="another subscription"):
        apply_subscription(actor=None, subscription=make_subscription(), raw=raw, at=timezone.now())
