from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class PaymentAlias(models.Model):
    """Two names of one payment at its provider, as an event told them.

    The ledger books the payment of an invoice by the invoice; its refund names intent or charge.
    """

    provider = models.CharField(_("provider"), max_length=20)
    alias = models.CharField(_("name"), max_length=255)
    payment_ref = models.CharField(_("other name"), max_length=255)

    class Meta:
        verbose_name = _("name of a payment")
        verbose_name_plural = _("names of payments")
        ordering = ["provider", "alias"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "alias", "payment_ref"], name="payment_alias_once"
            ),
        ]
        indexes = [models.Index(fields=["provider", "payment_ref"], name="payment_alias_booked")]

    def __str__(self) -> str:
        return f"{self.alias} = {self.payment_ref}"
