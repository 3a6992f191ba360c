"""Rows of the books for tests, made by the actions where there is one."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from portal.accounts.models import User
from portal.books.actions.transfer import record_transfer
from portal.books.models import Reconciliation
from portal.lib.money import Money
from portal.payments.actions.payment import book
from portal.payments.arithmetic import EntryKind
from portal.payments.models import CreditNote, LedgerEntry, Order, ProviderEvent
from portal.payments.tests.factories import PRICE, make_order

_numbers = count(1)


def paid_by_bank(actor: User, order: Order | None = None, line: str = "") -> LedgerEntry:
    found = order or make_order()
    record_transfer(
        actor=actor,
        order=found,
        kind=EntryKind.PAYMENT,
        amount=found.amount,
        line=line or f"statement {next(_numbers)}",
        at=timezone.now(),
    )
    found.refresh_from_db()
    return found.entries.latest("pk")


def paid_by_provider(order: Order | None = None, ref: str = "") -> LedgerEntry:
    """Money that an event of the twin brought."""
    found = order or make_order()
    entry = book(
        found,
        EntryKind.PAYMENT,
        found.amount,
        "twin",
        ref or f"pi_books_{next(_numbers)}",
        timezone.now() - timedelta(hours=2),
    )
    assert entry is not None
    return entry


def refunded(actor: User) -> CreditNote:
    """Half of a payment that the treasurer sent back by bank."""
    entry = paid_by_bank(actor)
    record_transfer(
        actor=actor,
        order=entry.order,
        kind=EntryKind.REFUND,
        amount=Money(PRICE.minor // 2, "EUR"),
        line=f"statement {next(_numbers)}",
        at=timezone.now(),
    )
    return CreditNote.objects.latest("pk")


def make_event(**fields: Any) -> ProviderEvent:
    number = next(_numbers)
    values = {"provider": "twin", "event_id": f"evt_books_{number}", "kind": "customer.updated"}
    body = {"id": values["event_id"], "type": values["kind"], "data": {"object": {}}}
    return ProviderEvent.objects.create(**{**values, "payload": body, **fields})


def report(**fields: Any) -> Reconciliation:
    now = timezone.now()
    return Reconciliation.objects.create(
        **{"provider": "twin", "since": now - timedelta(days=35), "until": now, **fields}
    )
