from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.payments.models.order import Order


class CheckoutState(models.TextChoices):
    OPEN = "open", _("open")
    PROCESSING = "processing", _("waiting for the bank")
    PAID = "paid", _("paid")
    FAILED = "failed", _("failed")
    EXPIRED = "expired", _("expired")


UNSETTLED = [CheckoutState.OPEN, CheckoutState.PROCESSING]


class CheckoutQuerySet(models.QuerySet["Checkout"]):
    def unsettled(self) -> CheckoutQuerySet:
        """Sessions whose outcome is not known yet."""
        return self.filter(state__in=UNSETTLED)

    def silent_since(self, at: datetime) -> CheckoutQuerySet:
        """Unsettled ones that the provider was not asked about since `at`."""
        return self.unsettled().filter(asked_at__lte=at)


class Checkout(models.Model):
    """One visit to the provider's hosted page for an order: a session there."""

    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="checkouts"
    )
    provider = models.CharField(_("provider"), max_length=20)
    session_id = models.CharField(_("session"), max_length=255)
    url = models.URLField(_("address of the hosted page"), max_length=2000, blank=True)
    state = models.CharField(
        _("state"), max_length=20, choices=CheckoutState, default=CheckoutState.OPEN
    )
    declined_at = models.DateTimeField(_("last declined"), null=True, blank=True)
    created_at = models.DateTimeField(_("opened"), default=timezone.now, editable=False)
    asked_at = models.DateTimeField(_("asked about"), default=timezone.now, editable=False)

    objects: ClassVar[CheckoutQuerySet] = CheckoutQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("checkout")
        verbose_name_plural = _("checkouts")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "session_id"], name="checkout_once"),
        ]

    def __str__(self) -> str:
        return f"{self.order} ({self.get_state_display()})"
