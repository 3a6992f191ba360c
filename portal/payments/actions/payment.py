"""Booking what happened to an order's money. Everything here may run twice and in any sequence."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.arithmetic import Entry, EntryKind, standing
from portal.payments.events import (
    AsyncFailed,
    Declined,
    Expired,
    Fact,
    Paid,
    Refunded,
    SessionFact,
    Unpaid,
)
from portal.payments.models import Checkout, CheckoutState, LedgerEntry, Order, ReceiptCounter


class PaymentUnknownError(LookupError):
    """A refund of a payment that we have not heard of yet."""

    def __init__(self, payment_ref: str) -> None:
        super().__init__(f"no payment {payment_ref} is booked yet")
        self.payment_ref = payment_ref


# A session never goes back: what came first gives way to what ends it.
STATE_AFTER: dict[type[SessionFact], tuple[CheckoutState, list[CheckoutState]]] = {
    Paid: (
        CheckoutState.PAID,
        [
            CheckoutState.OPEN,
            CheckoutState.PROCESSING,
            CheckoutState.FAILED,
            CheckoutState.EXPIRED,
        ],
    ),
    Unpaid: (CheckoutState.PROCESSING, [CheckoutState.OPEN]),
    AsyncFailed: (CheckoutState.FAILED, [CheckoutState.OPEN, CheckoutState.PROCESSING]),
    Expired: (CheckoutState.EXPIRED, [CheckoutState.OPEN]),
}


@transaction.atomic
def apply_fact(*, provider: str, fact: Fact) -> Order | None:
    """Book one fact; the order it touched, None when it is about somebody else's business.

    Raises PaymentUnknownError for a refund that came before its payment.
    """
    if isinstance(fact, Refunded):
        return _book_refund(provider, fact)
    order = _locked_order(fact.reference)
    if order is None:
        return None
    if isinstance(fact, Declined):
        open_ones = order.checkouts.filter(Q(declined_at=None) | Q(declined_at__lt=fact.at))
        open_ones.update(declined_at=fact.at)
        return order
    _move_checkout(provider, order, fact)
    if isinstance(fact, Paid):
        _book(order, EntryKind.PAYMENT, fact.amount, provider, fact.payment_ref, fact.at)
    return order


@transaction.atomic
def record_offline_payment(
    *, actor: User, order: Order, amount: Money, statement_ref: str, at: datetime
) -> Order:
    """The treasurer saw the money on the bank statement; its line there can be booked once."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if not statement_ref.strip():
        raise ValueError("name the line of the bank statement")
    if _book(locked, EntryKind.PAYMENT, amount, "bank", statement_ref.strip(), at):
        audit.record(
            actor=actor,
            verb="payment.record",
            subject=locked,
            amount=str(amount),
            ref=statement_ref,
        )
    return locked


def _locked_order(reference: str) -> Order | None:
    try:
        key = UUID(reference)
    except ValueError:
        return None
    return Order.objects.select_for_update().filter(reference=key).first()


def _move_checkout(provider: str, order: Order, fact: SessionFact) -> None:
    state, before = STATE_AFTER[type(fact)]
    Checkout.objects.get_or_create(
        provider=provider, session_id=fact.session_id, defaults={"order": order}
    )
    Checkout.objects.filter(
        provider=provider, session_id=fact.session_id, order=order, state__in=before
    ).update(state=state)


def _book_refund(provider: str, fact: Refunded) -> Order:
    payment = LedgerEntry.objects.filter(
        provider=provider, kind=EntryKind.PAYMENT, provider_ref=fact.payment_ref
    ).first()
    if payment is None:
        raise PaymentUnknownError(fact.payment_ref)
    order = Order.objects.select_for_update().get(pk=payment.order_id)
    _book(order, EntryKind.REFUND, -fact.amount, provider, fact.refund_id, fact.at)
    if fact.failed:
        _book(
            order, EntryKind.REFUND_RETURNED, fact.amount, provider, fact.refund_id, fact.failed_at
        )
    return order


def _book(
    order: Order, kind: EntryKind, amount: Money, provider: str, ref: str, at: datetime
) -> bool:
    """Add the entry unless it is there, then let the order say what its entries say."""
    _, created = LedgerEntry.objects.get_or_create(
        provider=provider,
        kind=kind,
        provider_ref=ref,
        defaults={
            "order": order,
            "amount_minor": amount.minor,
            "currency": amount.currency,
            "occurred_at": min(at, timezone.now()),
        },
    )
    if created:
        _restate(order)
    return created


def _restate(order: Order) -> None:
    now = standing(order.amount, entries_of(order))
    order.state = now.state.value
    if now.paid_at is not None and order.paid_at is None:
        order.paid_at = now.paid_at
        order.receipt_number = ReceiptCounter.next_number(now.paid_at.year)
    order.save(update_fields=["state", "paid_at", "receipt_number"])


def entries_of(order: Order) -> list[Entry]:
    return [
        Entry(entry.kind, entry.amount, entry.occurred_at) for entry in order.entries.order_by("id")
    ]
