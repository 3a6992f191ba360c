"""Subscriptions: begun with an order, then whatever the provider told last."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.actions.touched import Touched
from portal.payments.events import reading
from portal.payments.events.facts import SubscriptionTold
from portal.payments.events.subscriptions import read_subscription
from portal.payments.models import Customer, Order, Subscription
from portal.payments.models.subscription import OVER

NEVER = datetime.min.replace(tzinfo=UTC)
# Of two events of one second the one that is further on counts. A refused charge comes after the
# period that it is for has begun; no card is mended in the second in which it was refused.
RANK = {
    state: place
    for place, state in enumerate(
        [
            *("pending", "incomplete", "trialing", "paused", "active", "past_due", "unpaid"),
            *("incomplete_expired", "canceled"),
        ]
    )
}


@transaction.atomic
def begin_subscription(
    *,
    actor: User | None,
    order: Order,
    provider: str,
    price: Money,
    interval: str,
    interval_count: int = 1,
    customer: Customer | None = None,
) -> Subscription:
    """`order` is its first payment, `price` what each later period costs. Asked twice, the same."""
    first = Order.objects.select_for_update().get(pk=order.pk)
    if first.subscription is not None:
        return first.subscription
    subscription = Subscription.objects.create(
        provider=provider,
        customer=customer or first.customer,
        description=first.description,
        price_minor=price.minor,
        currency=price.currency,
        interval=interval,
        interval_count=interval_count,
    )
    Order.objects.filter(pk=first.pk).update(
        subscription=subscription, customer=subscription.customer
    )
    order.refresh_from_db()
    audit.record(actor=actor, verb="subscription.begin", subject=subscription, interval=interval)
    return subscription


@transaction.atomic
def forgo_subscription(*, actor: User | None, order: Order) -> None:
    """It is paid once after all. One that began at the provider stays."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    subscription = locked.subscription
    if subscription is None or subscription.subscription_id:
        return
    Order.objects.filter(pk=locked.pk).update(subscription=None)
    audit.record(actor=actor, verb="subscription.forgo", subject=subscription)
    subscription.delete()
    order.refresh_from_db()


@transaction.atomic
def apply_subscription(
    *, actor: User | None, subscription: Subscription, raw: Mapping[str, Any], at: datetime
) -> Subscription:
    """Keep what the provider answered when it was asked (or told to cancel)."""
    fact = reading(lambda: read_subscription(raw, at))
    locked = Subscription.objects.select_for_update().get(pk=subscription.pk)
    if not isinstance(fact, SubscriptionTold) or locked.subscription_id not in {
        "",
        fact.subscription_id,
    }:
        raise ValueError("an answer about another subscription")
    was = (locked.state, locked.cancel_at_period_end)
    _keep(locked, fact)
    if was != (locked.state, locked.cancel_at_period_end):
        audit.record(actor=actor, verb="subscription.change", subject=locked, state=locked.state)
    return locked


def book_subscription(provider: str, fact: SubscriptionTold) -> Touched:
    """Keep what is told of a subscription of ours."""
    found = locked_subscription(provider, fact.reference, fact.subscription_id)
    if found is None:
        return Touched()
    _keep(found, fact)
    return Touched(subscriptions=[found])


def locked_subscription(provider: str, reference: str, subscription_id: str) -> Subscription | None:
    """By our reference, else by the provider's id; None when it is somebody else's business."""
    rows = Subscription.objects.select_for_update().filter(provider=provider)
    try:
        found = rows.filter(reference=UUID(reference)).first() if reference else None
    except ValueError:
        found = None
    if found is None and subscription_id:
        found = rows.filter(subscription_id=subscription_id).first()
    return found


def locked_subscription_of(reference: str) -> Subscription | None:
    """That of an order. Whoever changes both locks the subscription first."""
    try:
        key = UUID(reference)
    except ValueError:
        return None
    rows = Subscription.objects.select_for_update(of=("self",))
    return rows.filter(orders__reference=key).first()


def link_subscription(
    *, subscription: Subscription, subscription_id: str, customer_id: str
) -> None:
    """The provider's names of a subscription that we asked for, once they are known."""
    if subscription_id and not subscription.subscription_id:
        subscription.subscription_id = subscription_id
        subscription.save(update_fields=["subscription_id"])
    if customer_id:
        _link_customer(subscription, customer_id)


def _link_customer(subscription: Subscription, customer_id: str) -> None:
    known = Customer.objects.filter(provider=subscription.provider, customer_id=customer_id).first()
    if subscription.customer is None:
        subscription.customer = known or _customer(subscription, customer_id)
        subscription.save(update_fields=["customer"])
        subscription.orders.filter(customer=None).update(customer=subscription.customer)
    elif known is None and not subscription.customer.customer_id:
        subscription.customer.customer_id = customer_id
        subscription.customer.save(update_fields=["customer_id"])


def _customer(subscription: Subscription, customer_id: str) -> Customer:
    first = subscription.orders.order_by("pk").first()
    return Customer.objects.create(
        provider=subscription.provider,
        customer_id=customer_id,
        name=first.billing_name if first else subscription.description,
        email=first.billing_email if first else "",
    )


def _keep(subscription: Subscription, fact: SubscriptionTold) -> None:
    link_subscription(
        subscription=subscription,
        subscription_id=fact.subscription_id,
        customer_id=fact.customer_id,
    )
    if subscription.told_at is not None and _news_told(fact) <= _news_kept(subscription):
        return
    subscription.state = fact.state
    subscription.current_period_start = fact.period_start
    subscription.current_period_end = fact.period_end
    subscription.cancel_at_period_end = fact.cancel_at_period_end
    subscription.canceled_at = fact.canceled_at
    subscription.ended_at = fact.ended_at
    subscription.told_at = fact.at
    if fact.price.minor > 0 and fact.interval in {"month", "year"}:
        subscription.price_minor = fact.price.minor
        subscription.currency = fact.price.currency
        subscription.interval = fact.interval
        subscription.interval_count = fact.interval_count
    subscription.save()


def _news_told(fact: SubscriptionTold) -> tuple[object, ...]:
    return _news(fact.state, fact.at, fact.period_end, fact.cancel_at_period_end, fact.price.minor)


def _news_kept(row: Subscription) -> tuple[object, ...]:
    return _news(
        row.state,
        row.told_at or NEVER,
        row.current_period_end,
        row.cancel_at_period_end,
        row.price_minor,
    )


def _news(
    state: str, at: datetime, period_end: datetime | None, ends: bool, price: int
) -> tuple[object, ...]:
    """What ends a subscription wins, then the newest; the rest decides within one second."""
    return (state in OVER, at, RANK.get(state, -1), period_end or NEVER, ends, price)
