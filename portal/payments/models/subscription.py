from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.models.customer import Customer


class SubscriptionState(models.TextChoices):
    """Ours is `pending`: asked for, not begun at the provider. The others are Stripe's words."""

    PENDING = "pending", _("not begun")
    INCOMPLETE = "incomplete", _("waits for the first payment")
    TRIALING = "trialing", _("in trial")
    ACTIVE = "active", _("active")
    PAST_DUE = "past_due", _("payment failed, tried again")
    PAUSED = "paused", _("paused")
    UNPAID = "unpaid", _("unpaid")
    INCOMPLETE_EXPIRED = "incomplete_expired", _("never begun")
    CANCELED = "canceled", _("cancelled")


TROUBLED = [SubscriptionState.PAST_DUE, SubscriptionState.UNPAID]
OVER = [SubscriptionState.INCOMPLETE_EXPIRED, SubscriptionState.CANCELED]


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def renewing(self) -> SubscriptionQuerySet:
        """Those that will take money again when the period ends."""
        states = [SubscriptionState.TRIALING, SubscriptionState.ACTIVE, SubscriptionState.PAST_DUE]
        return self.filter(state__in=states, cancel_at_period_end=False)

    def over(self) -> SubscriptionQuerySet:
        return self.filter(state__in=OVER)

    def troubled(self) -> SubscriptionQuerySet:
        """Those whose last payment did not come."""
        return self.filter(state__in=TROUBLED)


class Subscription(models.Model):
    """A payment that the provider takes again each period; every one becomes an order.

    Its state is the newest one we were told of, and one that ends it is never left again.
    """

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    provider = models.CharField(_("provider"), max_length=20)
    subscription_id = models.CharField(_("subscription"), max_length=255, blank=True)
    customer = models.ForeignKey(
        Customer,
        verbose_name=_("customer"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="subscriptions",
    )
    description = models.CharField(_("description"), max_length=200)
    state = models.CharField(
        _("state"), max_length=20, choices=SubscriptionState, default=SubscriptionState.PENDING
    )
    price_minor = models.BigIntegerField(_("price in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    interval = models.CharField(
        _("interval"), max_length=5, choices=[("month", _("month")), ("year", _("year"))]
    )
    interval_count = models.PositiveSmallIntegerField(_("intervals in a period"), default=1)
    current_period_start = models.DateTimeField(_("period began"), null=True, blank=True)
    current_period_end = models.DateTimeField(_("period ends"), null=True, blank=True)
    cancel_at_period_end = models.BooleanField(_("ends with the period"), default=False)
    canceled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    told_at = models.DateTimeField(
        _("newest news"), null=True, blank=True, help_text=_("By the provider's clock.")
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects: ClassVar[SubscriptionQuerySet] = SubscriptionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("subscription")
        verbose_name_plural = _("subscriptions")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "subscription_id"],
                condition=~Q(subscription_id=""),
                name="subscription_once",
            ),
            models.CheckConstraint(
                condition=Q(price_minor__gt=0), name="subscription_costs_something"
            ),
            models.CheckConstraint(
                condition=Q(currency__in=list(EXPONENTS)), name="subscription_currency_known"
            ),
            models.CheckConstraint(
                condition=Q(interval__in=["month", "year"], interval_count__gt=0),
                name="subscription_interval_known",
            ),
            models.CheckConstraint(
                condition=Q(current_period_end__isnull=True)
                | Q(current_period_end__gte=F("current_period_start")),
                name="subscription_period_lasts",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.description}, {self.price}"

    @property
    def price(self) -> Money:
        return Money(self.price_minor, self.currency)

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    @property
    def is_troubled(self) -> bool:
        """Whether its last payment did not come, and may be tried again."""
        return self.state in TROUBLED

    def renews_at(self) -> datetime | None:
        """When money is taken next, None when it is not."""
        renewing = self.state in {"trialing", "active", "past_due"}
        return self.current_period_end if renewing and not self.cancel_at_period_end else None
