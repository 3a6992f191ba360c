"""Sign-ups that are paid by invoice: the provider collects it, the letter tells where.

Our invoice is issued with the order, in its transaction. The provider is spoken to afterwards and
may be asked again: one invoice there for each of our numbers.
"""

from __future__ import annotations

import logging
import math
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.payments.actions.invoice import (
    note_closed_at_provider,
    record_provider_invoice,
    void_invoice,
)
from portal.payments.models import Customer, Invoice, Order
from portal.payments.papers import percent
from portal.payments.providers import (
    CustomerRequest,
    InvoiceRequest,
    PaymentProvider,
    ProviderError,
    provider,
)
from portal.payments.tax import Treatment
from portal.sponsors import letters
from portal.sponsors.actions.customer import customer_of, name_customer
from portal.sponsors.models import Application

logger = logging.getLogger(__name__)

A_DAY = timedelta(days=1)
PATIENCE = timedelta(minutes=10)  # then the letter leaves without the provider's page


def send_invoice(*, application: Application, at: datetime) -> None:
    """Have the provider collect the invoice, and write to who pays. Raises ProviderError."""
    order, invoice = application.order, unsent_invoice(application)
    if order is None or invoice is None:
        return
    source = provider()
    customer = _known_customer(source, application, order)
    hosted = source.send_invoice(_request(order, invoice, customer, at))
    with transaction.atomic():
        record_provider_invoice(
            invoice=invoice,
            provider=source.name,
            provider_invoice_id=hosted.invoice_id,
            provider_number=str(hosted.raw.get("number") or ""),
            hosted_url=hosted.url,
        )
        invoice.refresh_from_db()
        letters.invoice_sent(application, invoice)


def send_waiting_invoices(*, at: datetime, limit: int = 50) -> int:
    """Those that the provider does not know yet; how many it knows now."""
    sent = 0
    for application in Application.objects.awaiting_invoice()[:limit]:
        try:
            send_invoice(application=application, at=at)
            sent += 1
        except ProviderError as error:
            logger.warning("the invoice of %s waits: %s", application.reference, error)
            _write_without_page(application, at)
    return sent


def void_unpaid(
    *, application: Application, at: datetime, reason: str = "not paid in time"
) -> bool:
    """Nobody need pay the invoice any more; False when it was paid after all."""
    order = application.order
    invoice = order.invoices.valid().first() if order else None
    if invoice is None:
        return True
    if invoice.provider_invoice_id:
        raw = provider().void_invoice(invoice.provider_invoice_id).raw
        if raw.get("status") == "paid":
            return False
    void_invoice(actor=None, invoice=invoice, at=at, reason=reason)
    return True


def close_paid_elsewhere() -> int:
    """Invoices that were paid by bank cannot be paid online once more; how many were closed."""
    source, closed = provider(), 0
    for invoice in Invoice.objects.paid_elsewhere().filter(provider=source.name):
        try:
            source.void_invoice(invoice.provider_invoice_id)
            note_closed_at_provider(invoice=invoice)
            closed += 1
        except ProviderError as error:
            logger.warning("the invoice %s can still be paid online: %s", invoice.number, error)
    return closed


def unsent_invoice(application: Application) -> Invoice | None:
    if application.order is None:
        return None
    return application.order.invoices.valid().filter(provider_invoice_id="").first()


def _write_without_page(application: Application, at: datetime) -> None:
    invoice = unsent_invoice(application)
    if invoice is not None and at - invoice.issued_at > PATIENCE:
        letters.invoice_sent(application, invoice)


def _known_customer(source: PaymentProvider, application: Application, order: Order) -> Customer:
    customer = customer_of(application=application, order=order, provider=source.name)
    if customer.customer_id:
        return customer
    asked = CustomerRequest(
        reference=str(customer.reference),
        name=customer.name,
        email=customer.email,
        country=order.billing_country,
        reverse_charge=order.tax_treatment == Treatment.REVERSE_CHARGE,
    )
    customer_id = source.create_customer(asked)
    if order.billing_vat_number:
        source.add_tax_id(customer_id, order.billing_country, order.billing_vat_number)
    name_customer(customer=customer, customer_id=customer_id)
    return customer


def _request(order: Order, invoice: Invoice, customer: Customer, at: datetime) -> InvoiceRequest:
    return InvoiceRequest(
        reference=str(order.reference),
        number=invoice.number,
        customer_id=customer.customer_id,
        lines=_lines(order),
        days_until_due=max(1, math.ceil((invoice.due_at - at) / A_DAY)),
        remark=order.tax_note,
    )


def _lines(order: Order) -> tuple[tuple[str, Money], ...]:
    net = (order.description, order.net)
    if not order.tax_minor:
        return (net,)
    return (net, (_("VAT %(rate)s") % {"rate": percent(order.tax_rate_bp)}, order.tax))
