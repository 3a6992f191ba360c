"""Placing an order."""

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.models import Order


@transaction.atomic
def place_order(
    *,
    actor: User | None,
    description: str,
    amount: Money,
    billing_name: str,
    billing_email: str,
    billing_lines: str = "",
) -> Order:
    """A new open order. The price is fixed here; no later request can name another."""
    order = Order.objects.create(
        description=description,
        amount_minor=amount.minor,
        currency=amount.currency,
        billing_name=billing_name,
        billing_email=billing_email,
        billing_lines=billing_lines,
    )
    audit.record(actor=actor, verb="order.place", subject=order, amount=str(amount))
    return order
