"""Our invoices: issued once for an order, void when they were wrong, their file written once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from portal.accounts.models import User
from portal.lib import audit
from portal.payments import credit_note_pdf, invoice_pdf
from portal.payments.models import CreditNote, Invoice, NumberSeries, Order
from portal.payments.taxation import seller_lines

Paper = TypeVar("Paper", Invoice, CreditNote)


@transaction.atomic
def issue_invoice(
    *, actor: User | None, order: Order, at: datetime, days: int | None = None
) -> Invoice:
    """The invoice of an order; the one that there is when it is asked for again."""
    Order.objects.select_for_update().get(pk=order.pk)
    known = order.invoices.valid().first()
    if known is not None:
        return known
    invoice = Invoice.objects.create(
        order=order,
        number=NumberSeries.next_number(NumberSeries.Kind.INVOICE, at.year),
        issued_at=at,
        due_at=at + timedelta(days=settings.INVOICE_DAYS if days is None else days),
        seller_lines=seller_lines(),
    )
    audit.record(actor=actor, verb="invoice.issue", subject=invoice, amount=order.amount)
    return invoice


@transaction.atomic
def void_invoice(*, actor: User | None, invoice: Invoice, at: datetime, reason: str) -> None:
    """It counts no more; its number stays taken. A paid one cannot be void: refund it."""
    order = Order.objects.select_for_update().get(pk=invoice.order_id)
    if order.was_paid:
        raise ValueError("a paid invoice is refunded, not voided")
    if Invoice.objects.filter(pk=invoice.pk, voided_at=None).update(voided_at=at):
        audit.record(actor=actor, verb="invoice.void", subject=invoice, reason=reason)


@transaction.atomic
def record_provider_invoice(
    *,
    invoice: Invoice,
    provider: str,
    provider_invoice_id: str,
    provider_number: str,
    hosted_url: str,
) -> None:
    """Where the provider collects it; its own events may have told before."""
    Invoice.objects.filter(pk=invoice.pk).update(
        provider=provider,
        provider_invoice_id=provider_invoice_id,
        provider_number=provider_number,
        hosted_url=hosted_url,
    )


@transaction.atomic
def note_closed_at_provider(*, invoice: Invoice) -> None:
    """Nobody can pay it online any more; ours stays as it is."""
    if Invoice.objects.filter(pk=invoice.pk).exclude(hosted_url="").update(hosted_url=""):
        audit.record(actor=None, verb="invoice.close_online", subject=invoice)


def invoice_file(invoice: Invoice) -> bytes:
    """The PDF, written when it is first asked for and kept as it is from then on."""
    return _file(Invoice.objects.all(), invoice.pk, invoice_pdf.write)


def credit_note_file(note: CreditNote) -> bytes:
    return _file(CreditNote.objects.all(), note.pk, credit_note_pdf.write)


@transaction.atomic
def _file(rows: QuerySet[Paper], pk: int, write: Callable[[Paper], bytes]) -> bytes:
    paper = rows.select_for_update(of=("self",)).get(pk=pk)
    if paper.pdf is None:
        paper.pdf = write(paper)
        paper.pdf_sha256 = sha256(paper.pdf).hexdigest()
        paper.save(update_fields=["pdf", "pdf_sha256"])
    return bytes(paper.pdf)
