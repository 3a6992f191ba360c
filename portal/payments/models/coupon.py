from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money


class CouponQuerySet(models.QuerySet["Coupon"]):
    def named(self, code: str) -> CouponQuerySet:
        """By its code, as people type it."""
        return self.filter(code=code.strip().upper())

    def valid_at(self, at: datetime) -> CouponQuerySet:
        return self.filter(
            Q(valid_from__lte=at), Q(valid_until__isnull=True) | Q(valid_until__gt=at)
        )


class Coupon(models.Model):
    """A code that lowers an order: by a share or by an amount of one currency."""

    code = models.CharField(_("code"), max_length=40, unique=True)
    percent = models.PositiveSmallIntegerField(_("per cent"), null=True, blank=True)
    amount_minor = models.BigIntegerField(_("amount in minor units"), null=True, blank=True)
    currency = models.CharField(
        _("currency"), max_length=3, blank=True, choices=[(c, c) for c in EXPONENTS]
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now)
    valid_until = models.DateTimeField(_("valid until"), null=True, blank=True)
    uses = models.PositiveIntegerField(_("how often, at most"), null=True, blank=True)
    note = models.CharField(_("what it is for"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects: ClassVar[CouponQuerySet] = CouponQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("coupon")
        verbose_name_plural = _("coupons")
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(code=Upper(F("code"))) & ~Q(code=""), name="coupon_code_upper"
            ),
            models.CheckConstraint(
                condition=Q(
                    percent__isnull=False,
                    percent__range=(1, 99),
                    amount_minor__isnull=True,
                    currency="",
                )
                | Q(
                    percent__isnull=True,
                    amount_minor__isnull=False,
                    amount_minor__gt=0,
                    currency__in=list(EXPONENTS),
                ),
                name="coupon_percent_or_amount",
            ),
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gt=F("valid_from")),
                name="coupon_lasts",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def off(self, price: Money) -> Money:
        """What it takes off `price`; nothing where it is for another currency."""
        if self.percent is not None:
            return Money(price.minor * self.percent // 100, price.currency)
        if self.amount_minor is None or self.currency != price.currency:
            return Money(0, price.currency)
        return Money(self.amount_minor, price.currency)

    @property
    def uses_left(self) -> int | None:
        """How often it may still be used, None for as often as you like."""
        if self.uses is None:
            return None
        return max(0, self.uses - self.orders.filter(closed_at__isnull=True).count())
