"""What an organisation was to pay, and the papers about it."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from portal.members.belongings import all_parts
from portal.members.models import Organisation
from portal.payments.models import CreditNote, Customer, Invoice, Order
from portal.payments.models.invoice import InvoiceState


def orders_of(organisation: Organisation) -> list[Order]:
    """Newest first: those that paid a term, and those that apps above placed for it."""
    own = Q(term__organisation=organisation)
    for part in all_parts():
        own |= Q(pk__in=part.orders(organisation))
    found = Order.objects.filter(own).order_by("-created_at", "-pk")
    return list(found.select_related("customer", "subscription"))


def invoices_of(orders: list[Order]) -> list[Invoice]:
    found = Invoice.objects.filter(order__in=orders).defer("pdf")
    return list(found.select_related("order").order_by("-issued_at", "-pk"))


def credit_notes_of(orders: list[Order]) -> list[CreditNote]:
    found = CreditNote.objects.filter(order__in=orders).defer("pdf")
    return list(found.select_related("order").order_by("-issued_at", "-pk"))


def to_pay(invoices: list[Invoice], at: datetime) -> list[tuple[Invoice, bool]]:
    """Invoices that wait for their money, and whether each is overdue; the oldest first."""
    states = [(invoice, invoice.state_at(at)) for invoice in reversed(invoices)]
    waiting = {InvoiceState.OPEN, InvoiceState.OVERDUE}
    return [
        (invoice, state == InvoiceState.OVERDUE) for invoice, state in states if state in waiting
    ]


def customer_of(orders: list[Order], provider: str) -> Customer | None:
    """As whom the provider knows it: the customer of the newest order that has one there."""
    customers = [order.customer for order in orders if order.customer is not None]
    known = (c for c in customers if c.provider == provider and c.customer_id)
    return next(known, None)
