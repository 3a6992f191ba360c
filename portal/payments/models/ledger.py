from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import EntryKind
from portal.payments.models.order import Order

OUTGOING = [EntryKind.REFUND.value, EntryKind.DISPUTE.value, EntryKind.CORRECTION.value]


class LedgerEntryQuerySet(models.QuerySet["LedgerEntry"]):
    def totals(self) -> dict[str, Money]:
        """The sum of the entries of each currency."""
        rows = self.order_by("currency").values_list("currency").annotate(Sum("amount_minor"))
        return {currency: Money(total, currency) for currency, total in rows}


class LedgerEntry(models.Model):
    """Money that came or went. The database refuses to change or delete one."""

    KINDS = [
        (EntryKind.PAYMENT.value, _("payment")),
        (EntryKind.REFUND.value, _("refund")),
        (EntryKind.REFUND_RETURNED.value, _("refund that came back")),
        (EntryKind.DISPUTE.value, _("taken back by the payer's bank")),
        (EntryKind.DISPUTE_RETURNED.value, _("returned by the payer's bank")),
        (EntryKind.CORRECTION.value, _("correction of a payment")),
    ]

    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="entries"
    )
    kind = models.CharField(_("kind"), max_length=20, choices=KINDS)
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    provider = models.CharField(_("provider"), max_length=20)
    provider_ref = models.CharField(_("provider's reference"), max_length=255)
    occurred_at = models.DateTimeField(_("occurred"))
    booked_at = models.DateTimeField(_("booked"), default=timezone.now, editable=False)

    objects: ClassVar[LedgerEntryQuerySet] = LedgerEntryQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "kind", "provider_ref"], name="ledger_booked_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=OUTGOING, amount_minor__lt=0)
                | (~Q(kind__in=OUTGOING) & Q(amount_minor__gt=0)),
                name="ledger_sign_matches_kind",
            ),
            models.CheckConstraint(
                condition=Q(currency__in=list(EXPONENTS)), name="ledger_currency_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)
