from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.models.order import Order
from portal.payments.models.subscription import Subscription


class FailedCharge(models.Model):
    """The provider tried to take the money of an invoice and could not: once for each attempt."""

    order = models.ForeignKey(
        Order,
        verbose_name=_("order"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="failed_charges",
    )
    subscription = models.ForeignKey(
        Subscription,
        verbose_name=_("subscription"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="failed_charges",
    )
    provider = models.CharField(_("provider"), max_length=20)
    provider_invoice_id = models.CharField(_("provider's invoice"), max_length=255)
    attempt = models.PositiveSmallIntegerField(_("attempt"))
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    failed_at = models.DateTimeField(_("failed"))
    next_attempt_at = models.DateTimeField(_("tried again"), null=True, blank=True)
    pay_url = models.URLField(_("address to pay at"), max_length=2000, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects: ClassVar[models.Manager[FailedCharge]] = models.Manager()

    class Meta:
        verbose_name = _("failed charge")
        verbose_name_plural = _("failed charges")
        ordering = ["-failed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "provider_invoice_id", "attempt"], name="failed_charge_once"
            ),
            models.CheckConstraint(
                condition=models.Q(order__isnull=False) | models.Q(subscription__isnull=False),
                name="failed_charge_is_of_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider_invoice_id}, {self.attempt}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)
