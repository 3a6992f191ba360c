"""Money that moved at the bank, as the treasurer reads it from the statement."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.inbox import follow_all
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.actions.payment import book, record_offline_payment
from portal.payments.actions.refund import annul_credit_note, record_offline_refund
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, Order

BANK = "bank"
# What takes an entry back.
OPPOSITES = {
    EntryKind.PAYMENT.value: EntryKind.CORRECTION,
    EntryKind.REFUND.value: EntryKind.REFUND_RETURNED,
}


class TransferError(ValueError):
    """The words tell the treasurer why it is not booked; `field` is what to look at."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


class BookedAlreadyError(TransferError):
    """The same line, order and amount: somebody pressed twice."""


def balance(order: Order) -> Money:
    """What the foundation has of an order's money, in its currency."""
    entries = order.entries.filter(currency=order.currency)
    return Money(sum(entries.values_list("amount_minor", flat=True)), order.currency)


def due(order: Order) -> Money:
    """What is still to come, never below nothing."""
    paid = order.entries.filter(
        currency=order.currency, kind__in=[EntryKind.PAYMENT, EntryKind.CORRECTION]
    )
    rest = order.amount_minor - sum(paid.values_list("amount_minor", flat=True))
    return Money(max(rest, 0), order.currency)


def statement_line(text: str) -> str:
    """The line as it is kept: spaces do not make it another one."""
    return " ".join(text.split())


def check_transfer(*, order: Order, kind: str, amount: Money, line: str) -> str:
    """The reference to book it with. Raises TransferError in the words for its reader."""
    if amount.currency != order.currency:
        words = _("The order is in %(currency)s: book what arrived in that currency.")
        raise TransferError("currency", words % {"currency": order.currency})
    ref = _free_ref(order, kind, amount, line)
    limit = due(order) if kind == EntryKind.PAYMENT else balance(order)
    if amount > limit:
        raise TransferError("amount", _too_much(kind, limit))
    return ref


def _too_much(kind: str, limit: Money) -> str:
    if kind == EntryKind.PAYMENT:
        words = _(
            "Only %(amount)s is still to be paid here. Book that much, and the rest with the"
            " order it belongs to."
        )
    else:
        words = _("Only %(amount)s of this order is with us: more cannot go back.")
    return words % {"amount": limit}


def _free_ref(order: Order, kind: str, amount: Money, line: str) -> str:
    """A line is booked once; after a correction, once more under a name that says so."""
    ref, attempt = line, 1
    while known := _booked(kind, ref):
        if not _is_corrected(known):
            raise _booked_already(known, order, amount)
        attempt += 1
        ref = f"{line} [{attempt}]"
    return ref


def _booked(kind: str, ref: str) -> LedgerEntry | None:
    entries = LedgerEntry.objects.select_related("order")
    return entries.filter(provider=BANK, kind=kind, provider_ref__iexact=ref).first()


def _booked_already(known: LedgerEntry, order: Order, amount: Money) -> TransferError:
    words = _("This line is booked already: %(amount)s for %(order)s, %(payer)s.") % {
        "amount": known.amount,
        "order": known.order.description,
        "payer": known.order.billing_name,
    }
    again = known.order_id == order.pk and abs(known.amount_minor) == amount.minor
    return (BookedAlreadyError if again else TransferError)("line", words)


def _is_corrected(entry: LedgerEntry) -> bool:
    return LedgerEntry.objects.filter(
        provider=BANK, kind=OPPOSITES[entry.kind], provider_ref=entry.provider_ref
    ).exists()


@transaction.atomic
def record_transfer(
    *, actor: User, order: Order, kind: str, amount: Money, line: str, at: datetime
) -> Order:
    """Book a line of the statement, and let the supporter follow. Raises TransferError."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    ref = check_transfer(order=locked, kind=kind, amount=amount, line=statement_line(line))
    verb = record_offline_payment if kind == EntryKind.PAYMENT else record_offline_refund
    booked = verb(actor=actor, order=locked, amount=amount, statement_ref=ref, at=at)
    known = _booked(kind, ref)
    if known is not None and known.order_id != locked.pk:  # taken while we looked
        raise _booked_already(known, locked, amount)
    follow_all(Touched(orders=[booked]))
    return booked


@transaction.atomic
def correct_transfer(*, actor: User, entry: LedgerEntry, reason: str, at: datetime) -> Order:
    """Take back what was booked by mistake: one more entry, never a deletion.

    Corrected twice, once. Raises TransferError for an entry that is not the treasurer's own or
    that later entries stand on.
    """
    order = Order.objects.select_for_update().get(pk=entry.order_id)
    if entry.provider != BANK or entry.kind not in OPPOSITES:
        raise TransferError("reason", _("Only what was booked by hand can be corrected by hand."))
    if entry.kind == EntryKind.PAYMENT and not _is_corrected(entry):
        _check_rest(order, entry)
    opposite = OPPOSITES[entry.kind]
    if book(order, opposite, -entry.amount, BANK, entry.provider_ref, at):
        annul_credit_note(BANK, entry.provider_ref, at)
        audit.record(
            actor=actor,
            verb="entry.correct",
            subject=entry,
            order=str(order.reference),
            reason=reason,
        )
    follow_all(Touched(orders=[order]))
    return order


def _check_rest(order: Order, entry: LedgerEntry) -> None:
    if entry.currency == order.currency and entry.amount > balance(order):
        words = _("Money of this payment went back already. Correct that refund first.")
        raise TransferError("reason", words)
