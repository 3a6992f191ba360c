"""Money that goes back: its entries, and the credit note that takes back price and tax."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.actions.alias import learn_names
from portal.payments.actions.payment import book, locked_order_of
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.events.facts import Refunded
from portal.payments.models import CreditNote, LedgerEntry, NumberSeries, Order
from portal.payments.tax import Treatment, within
from portal.payments.taxation import seller_lines


def book_refund(provider: str, fact: Refunded) -> Touched:
    """A refund that was promised, and its return when it failed. Raises PaymentUnknownError."""
    order = locked_order_of(provider, fact.names)
    learn_names(provider, fact.names)
    entry = book(order, EntryKind.REFUND, -fact.amount, provider, fact.refund_id, fact.at)
    if entry is not None:
        issue_credit_note(order, entry)
    if fact.failed and book(
        order, EntryKind.REFUND_RETURNED, fact.amount, provider, fact.refund_id, fact.failed_at
    ):
        annul_credit_note(provider, fact.refund_id, fact.failed_at)
    return Touched(orders=[order])


@transaction.atomic
def record_offline_refund(
    *, actor: User, order: Order, amount: Money, statement_ref: str, at: datetime
) -> Order:
    """The treasurer sent money back by bank; its line on the statement can be booked once."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    ref = statement_ref.strip()
    if not ref or amount.minor <= 0:
        raise ValueError("name the line of the bank statement and a positive amount")
    entry = book(locked, EntryKind.REFUND, -amount, "bank", ref, at)
    if entry is not None:
        issue_credit_note(locked, entry)
        audit.record(actor=actor, verb="refund.record", subject=locked, amount=amount, ref=ref)
    return locked


def issue_credit_note(order: Order, entry: LedgerEntry) -> CreditNote:
    """The paper for a refund; once for each, since an entry is booked once."""
    now = timezone.now()
    part = within(-entry.amount, order.tax_rate_bp, Treatment(order.tax_treatment))
    return CreditNote.objects.create(
        number=NumberSeries.next_number(NumberSeries.Kind.CREDIT_NOTE, now.year),
        issued_at=now,
        seller_lines=seller_lines(),
        entry=entry,
        order=order,
        net_minor=part.net.minor,
        tax_minor=part.tax.minor,
        currency=entry.currency,
    )


def annul_credit_note(provider: str, refund_id: str, at: datetime) -> None:
    """The money is ours again: the paper stays, and says that it counts no more."""
    CreditNote.objects.filter(
        entry__provider=provider, entry__kind=EntryKind.REFUND, entry__provider_ref=refund_id
    ).update(annulled_at=at)
