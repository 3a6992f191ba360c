"""Plays the events of a story in any sequence, any of them twice, and compares what is in the end.

An app above adds its part by its own `handle` and its own `more`; see
`portal/payments/tests/test_histories.py` and `portal/sponsors/tests/test_permutations.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from portal.lib.money import Money
from portal.payments.actions.event import handle_event, store_event
from portal.payments.actions.invoice import issue_invoice
from portal.payments.actions.subscription import apply_subscription, begin_subscription
from portal.payments.models import (
    Checkout,
    CreditNote,
    Customer,
    Dispute,
    FailedCharge,
    Invoice,
    LedgerEntry,
    Order,
    ProviderEvent,
    Subscription,
)
from portal.payments.tests.scene import Scene
from portal.payments.tests.shapes import Thing
from portal.payments.tests.stories import INVOICED, STORIES, SUBSCRIBED, Story

Handle = Callable[[int], object]
More = Callable[[], dict[str, object]]
HERE = "cancel here"  # our own request to end a subscription, among the events


def scene_of(name: str, order: Order) -> Scene:
    """The order with what its story needs: an invoice that was asked for, or a subscription."""
    reference = str(order.reference)
    if name in INVOICED:
        invoice = issue_invoice(actor=None, order=order, at=timezone.now())
        return Scene(reference, order.amount, invoice=invoice.number)
    if name in SUBSCRIBED:
        subscription = begin_subscription(
            actor=None, order=order, provider="twin", price=order.amount, interval="month"
        )
        return Scene(reference, order.amount, subscription=str(subscription.reference))
    return Scene(reference, order.amount)


def events_of(name: str, order: Order, stories: dict[str, Story] = STORIES) -> list[Thing]:
    """What happened, in the sequence in which it did; our own cancelling is the last of it."""
    scene = scene_of(name, order)
    stories[name](scene)
    own = [{"type": HERE, "data": scene.events[-1]["data"]}] if name == "cancelled here" else []
    return [*scene.events, *own]


def counts() -> dict[str, int]:
    """How many events each story has, for drawing sequences without a database."""
    lengths = {}
    for name, story in STORIES.items():
        scene = Scene("r", Money(100_00, "EUR"), subscription="s", invoice="i")
        story(scene)
        lengths[name] = len(scene.events) + (name == "cancelled here")
    return lengths


def hard_ones(name: str, count: int) -> list[list[int]]:
    """Two sequences for every day: backwards and then all of it again, and one that is mixed."""
    backwards = [*reversed(range(count)), *range(count)]
    return [backwards, Random(name).sample(range(count), count)]


def handled(pk: int) -> object:
    return handle_event(event_pk=pk, at=timezone.now())


def play(
    name: str,
    order: Callable[[], Order],
    sequence: list[int],
    *,
    handle: Handle = handled,
    more: More = dict,
    stories: dict[str, Story] = STORIES,
) -> dict[str, object]:
    """What is in the books after that sequence of events; then it is all undone."""
    with transaction.atomic():
        events = events_of(name, order(), stories)
        for place in sequence:
            happen(events[place], handle)
        result = books() | more()
        transaction.set_rollback(True)
    return result


def happen(event: Thing, handle: Handle) -> None:
    """The event comes, or we ask for what it stands for."""
    if event["type"] == HERE:
        raw, subscription = event["data"]["object"], Subscription.objects.get()
        apply_subscription(actor=None, subscription=subscription, raw=raw, at=timezone.now())
        return
    handle(store_event(provider="twin", event=event).pk)


def books() -> dict[str, object]:
    """All that payments know, without what is different each time: keys, numbers, our clock."""
    return {
        "unhandled": list(ProviderEvent.objects.unhandled().values_list("kind", flat=True)),
        "ledger": _rows(
            LedgerEntry,
            *("kind", "amount_minor", "currency", "provider_ref", "occurred_at"),
            "order__provider_invoice_id",
        ),
        "orders": _rows(
            Order,
            *("state", "paid_at", "amount_minor", "net_minor", "tax_minor", "currency"),
            *("provider_invoice_id", "billing_email", "customer__customer_id"),
        ),
        "receipts": Order.objects.with_receipt().count(),
        "subscriptions": _rows(
            Subscription,
            *("subscription_id", "state", "price_minor", "interval", "cancel_at_period_end"),
            *("current_period_start", "current_period_end", "canceled_at", "ended_at"),
        ),
        "customers": _rows(Customer, "customer_id", "name", "email"),
        "disputes": _rows(Dispute, "dispute_id", "state", "amount_minor", "evidence_due_at"),
        "invoices": _rows(Invoice, "provider_invoice_id", "hosted_url", "voided_at"),
        "credit notes": _rows(CreditNote, "net_minor", "tax_minor", "annulled_at"),
        "failed charges": _rows(
            FailedCharge, "provider_invoice_id", "attempt", "failed_at", "next_attempt_at"
        ),
        # When a card was last declined is a hint for an open page, not a part of the books.
        "pages": _rows(Checkout, "session_id", "state"),
    }


def _rows(model: type[Model], *fields: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(*_question(model, fields))
        return sorted(cursor.fetchall(), key=repr)


@cache
def _question(model: type[Model], fields: tuple[str, ...]) -> tuple[str, tuple[Any, ...]]:
    """Its SQL, which is asked ten thousand times and always the same."""
    rows = model._default_manager.order_by().values_list(*fields)
    return rows.query.sql_with_params()


def told(seconds: int) -> datetime:
    """A moment of a story as the books have it."""
    return datetime.fromtimestamp(seconds, UTC)
