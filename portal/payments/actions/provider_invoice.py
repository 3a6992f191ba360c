"""Invoices of the provider: each one that was paid pays one order, once."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from portal.payments.actions.alias import learn_names
from portal.payments.actions.payment import book, locked_order
from portal.payments.actions.subscription import link_subscription, locked_subscription
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind
from portal.payments.events import reading
from portal.payments.events.facts import (
    InvoiceFact,
    InvoiceFailed,
    InvoiceIssued,
    InvoicePaid,
    InvoiceVoided,
    Named,
)
from portal.payments.events.invoices import read_invoice
from portal.payments.models import FailedCharge, Invoice, Order, Subscription
from portal.payments.tax import Treatment, within


def book_paid_invoice(provider: str, fact: InvoicePaid) -> Touched:
    """The money of an invoice: of an order that we sent it for, or of a subscription's period."""
    subscription = locked_subscription(provider, fact.subscription, fact.subscription_id)
    order = locked_order(fact.reference)
    if order is None and subscription is not None:
        _link(subscription, fact)
        order = _order_of_period(subscription, fact)
    if order is None:
        return Touched()
    _link_invoice(provider, order, fact)
    names = tuple(dict.fromkeys((fact.invoice_id, *fact.names)))
    learn_names(provider, names)
    book(order, EntryKind.PAYMENT, fact.amount, provider, fact.invoice_id, fact.at)
    return Touched([order], [subscription] if subscription else [], names)


@transaction.atomic
def book_asked_invoice(provider: str, raw: Mapping[str, Any], at: datetime) -> Touched:
    """What an invoice says when it is asked for: the repair of an event that never came."""
    fact = reading(lambda: read_invoice(raw, at))
    if isinstance(fact, InvoicePaid):
        return book_paid_invoice(provider, fact)
    if isinstance(fact, InvoiceVoided):
        return note_voided_invoice(provider, fact)
    return note_issued_invoice(provider, fact) if isinstance(fact, InvoiceIssued) else Touched()


def note_failed_invoice(provider: str, fact: InvoiceFailed) -> Touched:
    """An attempt to take the money failed; the provider tries again or gives up."""
    subscription = locked_subscription(provider, fact.subscription, fact.subscription_id)
    order = locked_order(fact.reference)
    if subscription is None and order is None:
        return Touched()
    if subscription is not None:
        _link(subscription, fact)
    FailedCharge.objects.get_or_create(
        provider=provider,
        provider_invoice_id=fact.invoice_id,
        attempt=fact.attempt,
        defaults={
            "order": order,
            "subscription": subscription,
            "amount_minor": fact.amount.minor,
            "currency": fact.amount.currency,
            "failed_at": fact.at,
            "next_attempt_at": fact.next_attempt_at,
            "pay_url": fact.pay_url,
        },
    )
    return Touched([order] if order else [], [subscription] if subscription else [])


def note_issued_invoice(provider: str, fact: InvoiceIssued) -> Touched:
    """Where an invoice that we asked for can be paid."""
    order = locked_order(fact.reference)
    if order is None:
        return Touched()
    _link_invoice(provider, order, fact)
    _own_invoices(provider, order, fact).filter(hosted_url="").update(hosted_url=fact.pay_url)
    return Touched([order])


def note_voided_invoice(provider: str, fact: InvoiceVoided) -> Touched:
    order = locked_order(fact.reference)
    if order is None:
        return Touched()
    _link_invoice(provider, order, fact)
    if not order.was_paid:  # else we closed theirs, since the money came by bank
        _own_invoices(provider, order, fact).filter(voided_at=None).update(voided_at=fact.at)
    return Touched([order])


def learn_payment(provider: str, fact: Named) -> Touched:
    """Another name of a payment: what waits for it can be booked now."""
    learn_names(provider, fact.names)
    return Touched(names=fact.names)


def _link(subscription: Subscription, fact: InvoiceFact) -> None:
    link_subscription(
        subscription=subscription,
        subscription_id=fact.subscription_id,
        customer_id=fact.customer_id,
    )


def _link_invoice(provider: str, order: Order, fact: InvoiceFact) -> None:
    """Which of our invoices it is, where the answer to our request was lost."""
    if fact.number:
        own = order.invoices.filter(number=fact.number, provider_invoice_id="")
        own.update(provider=provider, provider_invoice_id=fact.invoice_id)
    if fact.printed_number:
        known = _own_invoices(provider, order, fact).filter(provider_number="")
        known.update(provider_number=fact.printed_number)


def _own_invoices(provider: str, order: Order, fact: InvoiceFact) -> QuerySet[Invoice]:
    return order.invoices.filter(provider=provider, provider_invoice_id=fact.invoice_id)


def _order_of_period(subscription: Subscription, fact: InvoicePaid) -> Order:
    """The order of this invoice: there already, the one it all began with, or a new one."""
    orders = Order.objects.select_for_update().filter(subscription=subscription)
    known = orders.filter(provider_invoice_id=fact.invoice_id).first()
    if known is not None:
        return known
    first = orders.order_by("pk").first()
    if first is not None and fact.is_first and not first.provider_invoice_id:
        first.provider, first.provider_invoice_id = subscription.provider, fact.invoice_id
        first.save(update_fields=["provider", "provider_invoice_id"])
        return first
    return _new_order(subscription, fact, first)


def _new_order(subscription: Subscription, fact: InvoicePaid, first: Order | None) -> Order:
    """As the first one was, with the amount of this invoice."""
    rate = first.tax_rate_bp if first else 0
    how = Treatment(first.tax_treatment) if first else Treatment.UNTAXED
    price = within(fact.amount, rate, how)
    return Order.objects.create(
        description=subscription.description,
        amount_minor=price.total.minor,
        net_minor=price.net.minor,
        tax_minor=price.tax.minor,
        tax_rate_bp=rate,
        tax_treatment=how.value,
        tax_note=first.tax_note if first else "",
        currency=fact.amount.currency,
        billing_name=first.billing_name if first else subscription.description,
        billing_email=first.billing_email if first else "",
        billing_lines=first.billing_lines if first else "",
        billing_country=first.billing_country if first else "",
        billing_vat_number=first.billing_vat_number if first else "",
        customer=subscription.customer,
        subscription=subscription,
        provider=subscription.provider,
        provider_invoice_id=fact.invoice_id,
    )
