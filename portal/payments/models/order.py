from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import OrderState


class OrderQuerySet(models.QuerySet["Order"]):
    def paid(self) -> OrderQuerySet:
        """Orders whose money is here, all or part of it."""
        return self.filter(state__in=[OrderState.PAID, OrderState.PARTLY_REFUNDED])

    def with_receipt(self) -> OrderQuerySet:
        return self.exclude(receipt_number="")


class Order(models.Model):
    """What somebody is to pay, as it was agreed; `state` follows from the ledger alone.

    Payments point to nobody: whoever placed the order keeps the key to it.
    """

    STATES = [
        (OrderState.OPEN.value, _("open")),
        (OrderState.SHORT.value, _("paid too little")),
        (OrderState.PAID.value, _("paid")),
        (OrderState.PARTLY_REFUNDED.value, _("refunded in part")),
        (OrderState.REFUNDED.value, _("refunded")),
    ]

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    description = models.CharField(_("description"), max_length=200)
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    billing_name = models.CharField(_("billing name"), max_length=200)
    billing_email = models.EmailField(_("billing e-mail"))
    billing_lines = models.TextField(_("billing details"), blank=True)
    state = models.CharField(
        _("state"), max_length=20, choices=STATES, default=OrderState.OPEN.value
    )
    created_at = models.DateTimeField(_("placed"), default=timezone.now, editable=False)
    paid_at = models.DateTimeField(_("paid"), null=True, blank=True, editable=False)
    receipt_number = models.CharField(_("receipt"), max_length=20, blank=True, editable=False)

    objects: ClassVar[models.Manager[Order]] = OrderQuerySet.as_manager()

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="order_costs_something"),
            models.CheckConstraint(
                condition=Q(currency__in=list(EXPONENTS)), name="order_currency_known"
            ),
            models.UniqueConstraint(
                fields=["receipt_number"], condition=~Q(receipt_number=""), name="receipt_once"
            ),
            models.CheckConstraint(
                condition=Q(receipt_number="", paid_at__isnull=True)
                | (~Q(receipt_number="") & Q(paid_at__isnull=False)),
                name="order_paid_has_receipt",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.description}, {self.amount}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)

    @property
    def was_paid(self) -> bool:
        """Whether it was ever paid in full, even when the money went back since."""
        return self.paid_at is not None


class ReceiptCounter(models.Model):
    """The last receipt number of a year; its row lock makes the numbers gapless."""

    year = models.PositiveSmallIntegerField(primary_key=True)
    last = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("receipt counter")
        verbose_name_plural = _("receipt counters")

    def __str__(self) -> str:
        return f"{self.year}-{self.last:04d}"

    @classmethod
    def next_number(cls, year: int) -> str:
        """The next number of `year`; call it inside the transaction that uses it."""
        cls.objects.get_or_create(year=year)
        cls.objects.filter(year=year).update(last=F("last") + 1)
        return str(cls.objects.get(year=year))
