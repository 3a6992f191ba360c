"""The ledger only grows, and its totals are the sum of its lines."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import permutations

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from portal.accounts.models import User
from portal.lib.money import Money
from portal.payments.actions.order import place_order
from portal.payments.actions.payment import record_offline_payment
from portal.payments.arithmetic import Entry, EntryKind, OrderState, standing
from portal.payments.models import LedgerEntry, Order

PRICE = Money(500, "EUR")
AT = datetime(2026, 3, 1, tzinfo=UTC)


def ordered(price: Money = PRICE) -> Order:
    return place_order(
        actor=None,
        description="Silver",
        amount=price,
        billing_name="Acme",
        billing_email="a@b.example",
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    "verb", ["UPDATE payments_ledgerentry SET amount_minor=1", "DELETE FROM payments_ledgerentry"]
)
def test_the_database_refuses_to_change_the_ledger(verb: str, erin: User) -> None:
    record_offline_payment(actor=erin, order=ordered(), amount=PRICE, statement_ref="1", at=AT)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute(verb)


@pytest.mark.django_db
def test_a_line_of_a_statement_is_booked_once_and_totals_reconcile(erin: User) -> None:
    order = ordered()
    for _ in range(2):
        record_offline_payment(actor=erin, order=order, amount=PRICE, statement_ref="1", at=AT)
    record_offline_payment(
        actor=erin, order=ordered(Money(9, "JPY")), amount=Money(9, "JPY"), statement_ref="2", at=AT
    )
    assert LedgerEntry.objects.totals() == {"EUR": PRICE, "JPY": Money(9, "JPY")}
    numbers = Order.objects.with_receipt().values_list("receipt_number", flat=True)
    assert sorted(numbers) == ["2026-0001", "2026-0002"]
    with pytest.raises(ValueError, match="statement"):
        record_offline_payment(actor=erin, order=order, amount=PRICE, statement_ref=" ", at=AT)


@pytest.mark.django_db
@pytest.mark.parametrize("minor", [0, -500])
def test_an_order_costs_something(minor: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ordered(Money(minor, "EUR"))


def entries(*amounts: int) -> Iterator[Entry]:
    for place, amount in enumerate(amounts):
        kind = EntryKind.PAYMENT if amount > 0 else EntryKind.REFUND
        yield Entry(kind, Money(amount, "EUR"), AT.replace(day=place + 1))


@pytest.mark.parametrize(
    ("amounts", "state"),
    [
        ((), OrderState.OPEN),
        ((1,), OrderState.SHORT),
        ((500,), OrderState.PAID),
        ((200, 300), OrderState.PAID),
        ((700,), OrderState.PAID),
        ((500, -1), OrderState.PARTLY_REFUNDED),
        ((500, -500), OrderState.REFUNDED),
        ((200, -200), OrderState.OPEN),
    ],
)
def test_an_order_is_what_its_entries_add_up_to(
    amounts: tuple[int, ...], state: OrderState
) -> None:
    for sequence in permutations(entries(*amounts)):
        assert standing(PRICE, sequence).state == state
        assert standing(PRICE, sequence) == standing(PRICE, list(entries(*amounts)))


def test_another_currency_pays_nothing() -> None:
    assert standing(PRICE, [Entry("payment", Money(500, "JPY"), AT)]).state == OrderState.OPEN
