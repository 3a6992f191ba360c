"""What a fact changed, for whoever has to follow it."""

from __future__ import annotations

from dataclasses import dataclass, field

from portal.payments.models import Order, Subscription


@dataclass(slots=True)
class Touched:
    """Rows that a fact was about, and names of payments that became known by it."""

    orders: list[Order] = field(default_factory=list)
    subscriptions: list[Subscription] = field(default_factory=list)
    names: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()  # names of a payment that is not booked yet

    def __bool__(self) -> bool:
        return bool(self.orders or self.subscriptions)

    def add(self, other: Touched) -> None:
        self.orders += other.orders
        self.subscriptions += other.subscriptions
