from __future__ import annotations

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from portal.donations.amounts import suggestions
from portal.lib.money import EXPONENTS, Money


class DonationCurrency(models.Model):
    """A currency in which donations are taken: the least, the most, and what is suggested."""

    currency = models.CharField(
        _("currency"), max_length=3, unique=True, choices=[(c, c) for c in EXPONENTS]
    )
    rank = models.PositiveSmallIntegerField(_("place in the list"), default=10)
    minimum_minor = models.BigIntegerField(_("least, in minor units"))
    maximum_minor = models.BigIntegerField(_("most, in minor units"))
    once = models.CharField(
        _("suggested once"), max_length=60, help_text=_("Such as: 25 50 100 250")
    )
    monthly = models.CharField(_("suggested each month"), max_length=60)
    yearly = models.CharField(_("suggested each year"), max_length=60)

    objects: ClassVar[models.Manager[DonationCurrency]] = models.Manager()

    class Meta:
        verbose_name = _("currency of donations")
        verbose_name_plural = _("currencies of donations")
        ordering = ["rank", "currency"]
        constraints = [
            models.CheckConstraint(
                condition=Q(minimum_minor__gt=0, maximum_minor__gte=F("minimum_minor")),
                name="donation_limits_make_sense",
                violation_error_message=_("The least is above nothing, the most not below it."),
            )
        ]

    def __str__(self) -> str:
        return self.currency

    def clean(self) -> None:
        for name in ("once", "monthly", "yearly"):
            try:
                offered = suggestions(getattr(self, name), self.currency)
            except (ValueError, KeyError):
                raise ValidationError({name: _("Amounts with spaces between them.")}) from None
            if not offered or not all(self.takes(amount) for amount in offered):
                raise ValidationError({name: _("Name amounts between the least and the most.")})

    @property
    def minimum(self) -> Money:
        return Money(self.minimum_minor, self.currency)

    @property
    def maximum(self) -> Money:
        return Money(self.maximum_minor, self.currency)

    def takes(self, amount: Money) -> bool:
        return amount.currency == self.currency and (self.minimum_minor or 0) <= amount.minor <= (
            self.maximum_minor or 0
        )

    def suggested(self, interval: str) -> list[Money]:
        """What the form offers for a donation that is given once (""), each month or year."""
        text = {"": self.once, "month": self.monthly, "year": self.yearly}[interval]
        return suggestions(text, self.currency)
