"""Subscriptions, in the shapes of before and after 2025-03-31; pure.

Newer ones keep the period with their items, older ones with the subscription.
"""

from datetime import datetime

from portal.lib.money import Money
from portal.payments.events.facts import SubscriptionTold
from portal.payments.events.fields import (
    Thing,
    identity,
    inner,
    listed,
    metadata,
    moment_or_none,
    money,
    text,
)


def read_subscription(subscription: Thing, at: datetime) -> SubscriptionTold:
    items = list(listed(subscription["items"]))
    recurring = inner(items[0], "price", "recurring")
    starts = [_period(subscription, item, "current_period_start") for item in items]
    ends = [_period(subscription, item, "current_period_end") for item in items]
    return SubscriptionTold(
        subscription_id=text(subscription["id"]),
        reference=metadata(subscription, "subscription"),
        customer_id=identity(subscription.get("customer")),
        state=text(subscription["status"]),
        price=_price(items),
        interval=text(recurring["interval"]),
        interval_count=int(recurring.get("interval_count") or 1),
        period_start=min((start for start in starts if start), default=None),
        period_end=max((end for end in ends if end), default=None),
        cancel_at_period_end=_ends(subscription),
        canceled_at=moment_or_none(subscription.get("canceled_at")),
        ended_at=moment_or_none(subscription.get("ended_at")),
        at=at,
    )


def _price(items: list[Thing]) -> Money:
    prices = [money(_minor(item), inner(item, "price").get("currency")) for item in items]
    return sum(prices[1:], start=prices[0])


def _minor(item: Thing) -> int:
    """A price in steps has no amount; none of ours is one."""
    return int(item["price"]["unit_amount"] or 0) * int(item.get("quantity") or 1)


def _period(subscription: Thing, item: Thing, name: str) -> datetime | None:
    return moment_or_none(item.get(name) or subscription.get(name))


def _ends(subscription: Thing) -> bool:
    """The customer portal sets a date where it once set a flag."""
    return bool(subscription.get("cancel_at_period_end") or subscription.get("cancel_at"))
