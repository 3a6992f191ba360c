"""The ledger: entries are added once, and the order then says what its entries say."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.actions.alias import names_of
from portal.payments.arithmetic import Entry, EntryKind, standing
from portal.payments.models import LedgerEntry, NumberSeries, Order


class PaymentUnknownError(LookupError):
    """A refund or dispute of a payment that we have not heard of yet."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"no payment {names[0]} is booked yet")
        self.payment_ref, self.names = names[0], names


@transaction.atomic
def record_offline_payment(
    *, actor: User, order: Order, amount: Money, statement_ref: str, at: datetime
) -> Order:
    """The treasurer saw the money on the bank statement; its line there can be booked once."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if not statement_ref.strip():
        raise ValueError("name the line of the bank statement")
    if book(locked, EntryKind.PAYMENT, amount, "bank", statement_ref.strip(), at):
        audit.record(
            actor=actor,
            verb="payment.record",
            subject=locked,
            amount=amount,
            ref=statement_ref,
        )
    return locked


def locked_order(reference: str) -> Order | None:
    """The order with this reference, for a change; None when it is somebody else's business."""
    try:
        key = UUID(reference)
    except ValueError:
        return None
    return Order.objects.select_for_update(no_key=True).filter(reference=key).first()


def locked_order_of(provider: str, names: tuple[str, ...]) -> Order:
    """The order that a payment with one of these names paid. Raises PaymentUnknownError."""
    order = _paid_by(provider, names) or _paid_by(provider, names_of(provider, names))
    if order is None:
        raise PaymentUnknownError(names)
    return order


def _paid_by(provider: str, names: Iterable[str]) -> Order | None:
    rows = Order.objects.select_for_update(no_key=True, of=("self",)).filter(
        entries__provider=provider,
        entries__kind=EntryKind.PAYMENT,
        entries__provider_ref__in=names,
    )
    return rows.order_by("entries__pk").first()


def book(
    order: Order, kind: EntryKind, amount: Money, provider: str, ref: str, at: datetime
) -> LedgerEntry | None:
    """Add the entry unless it is there, then let the order say what its entries say.

    Gives the new entry, None when it was booked before. The order must be locked.
    """
    booked = list(order.entries.order_by("id"))
    key = (provider, kind.value, ref)
    if any((entry.provider, entry.kind, entry.provider_ref) == key for entry in booked):
        return None
    entry = LedgerEntry(
        order=order,
        kind=kind.value,
        amount_minor=amount.minor,
        currency=amount.currency,
        provider=provider,
        provider_ref=ref,
        occurred_at=min(at, timezone.now()),
    )
    if not _added(entry):
        return None
    _restate(order, [*booked, entry])
    return entry


def _added(entry: LedgerEntry) -> bool:
    """False where another order has it: nothing is booked for two."""
    try:
        with transaction.atomic():
            entry.save(force_insert=True)
    except IntegrityError as error:
        if "ledger_booked_once" not in str(error):
            raise
        return False
    return True


def _restate(order: Order, entries: list[LedgerEntry]) -> None:
    now = standing(order.amount, as_entries(entries))
    order.state, order.paid_at = now.state.value, now.paid_at
    if now.paid_at is not None and not order.receipt_number:
        order.receipt_number = NumberSeries.next_number(NumberSeries.Kind.RECEIPT, now.paid_at.year)
    order.save(update_fields=["state", "paid_at", "receipt_number"])


def as_entries(rows: list[LedgerEntry]) -> list[Entry]:
    """Rows of the ledger for the arithmetic."""
    return [
        Entry(
            kind=entry.kind,
            amount=entry.amount,
            occurred_at=entry.occurred_at,
            ref=f"{entry.provider}:{entry.provider_ref}",
        )
        for entry in rows
    ]
