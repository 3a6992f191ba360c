"""Placing an order, closing one that nobody need pay any more."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.models import Coupon, Customer, Order
from portal.payments.tax import Taxed, Treatment
from portal.payments.taxation import tax_note


@dataclass(frozen=True, slots=True)
class Discount:
    """What a coupon takes off; `actions.coupon.redeem_coupon` gives it."""

    coupon: Coupon
    amount: Money


@transaction.atomic
def place_order(
    *,
    actor: User | None,
    description: str,
    amount: Money | Taxed,
    billing_name: str,
    billing_email: str,
    billing_lines: str = "",
    billing_country: str = "",
    billing_vat_number: str = "",
    customer: Customer | None = None,
    discount: Discount | None = None,
) -> Order:
    """A new open order. The price is fixed here; no later request can name another.

    `amount` is what is to be paid, after a discount, with its tax where there is one.
    """
    price = amount if isinstance(amount, Taxed) else untaxed(amount)
    order = Order.objects.create(
        description=description,
        amount_minor=price.total.minor,
        net_minor=price.net.minor,
        tax_minor=price.tax.minor,
        tax_rate_bp=price.rate_bp,
        tax_treatment=price.treatment.value,
        tax_note=tax_note(price.treatment),
        currency=price.total.currency,
        billing_name=billing_name,
        billing_email=billing_email,
        billing_lines=billing_lines,
        billing_country=billing_country,
        billing_vat_number=billing_vat_number,
        customer=customer,
        coupon=discount.coupon if discount else None,
        discount_minor=discount.amount.minor if discount else 0,
    )
    audit.record(actor=actor, verb="order.place", subject=order, amount=price.total)
    return order


@transaction.atomic
def close_order(*, actor: User | None, order: Order, at: datetime) -> None:
    """Nobody need pay it any more: its coupon can be used again. Money that comes is booked."""
    if Order.objects.filter(pk=order.pk, closed_at__isnull=True).update(closed_at=at):
        audit.record(actor=actor, verb="order.close", subject=order)


@transaction.atomic
def reopen_order(*, actor: User | None, order: Order) -> None:
    """It is to be paid after all."""
    if Order.objects.filter(pk=order.pk, closed_at__isnull=False).update(closed_at=None):
        audit.record(actor=actor, verb="order.reopen", subject=order)


def untaxed(amount: Money) -> Taxed:
    return Taxed(amount, Money(0, amount.currency), 0, Treatment.UNTAXED)
