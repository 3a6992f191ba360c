from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.books.comparison import Fault
from portal.lib.money import EXPONENTS, Money
from portal.payments.models import LedgerEntry, Order


class ReconciliationQuerySet(models.QuerySet["Reconciliation"]):
    def finished(self) -> ReconciliationQuerySet:
        return self.filter(error="")

    def with_counts(self) -> ReconciliationQuerySet:
        counted = self.annotate(difference_count=models.Count("differences"))
        return counted.order_by("-created_at", "-pk")


class Reconciliation(models.Model):
    """One comparison of the ledger with the provider's own lists."""

    provider = models.CharField(_("provider"), max_length=20)
    since = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("until"))
    movement_count = models.PositiveIntegerField(_("movements at the provider"), default=0)
    entry_count = models.PositiveIntegerField(_("ledger entries"), default=0)
    error = models.CharField(_("why it could not be done"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("done"), default=timezone.now, editable=False)

    objects: ClassVar[ReconciliationQuerySet] = ReconciliationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("reconciliation")
        verbose_name_plural = _("reconciliations")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__gt=models.F("since")), name="reconciliation_spans_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider}, {self.created_at:%Y-%m-%d %H:%M}"


class Difference(models.Model):
    """Something on which provider and ledger do not agree; `words.py` says it and what to do."""

    FAULTS = [(fault.value, fault.value) for fault in Fault]

    reconciliation = models.ForeignKey(
        Reconciliation,
        verbose_name=_("reconciliation"),
        on_delete=models.CASCADE,
        related_name="differences",
    )
    fault = models.CharField(_("fault"), max_length=20, choices=FAULTS)
    kind = models.CharField(_("kind"), max_length=20, choices=LedgerEntry.KINDS)
    ref = models.CharField(_("provider's reference"), max_length=255)
    at = models.DateTimeField(_("when"))
    theirs_minor = models.BigIntegerField(_("at the provider"), null=True)
    theirs_currency = models.CharField(_("currency there"), max_length=3, blank=True)
    ours_minor = models.BigIntegerField(_("in the ledger"), null=True)
    ours_currency = models.CharField(_("currency here"), max_length=3, blank=True)
    description = models.CharField(_("description"), max_length=200, blank=True)
    order = models.ForeignKey(
        Order, verbose_name=_("order"), null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("difference")
        verbose_name_plural = _("differences")
        ordering = ["-at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(theirs_minor__isnull=False) | Q(ours_minor__isnull=False),
                name="difference_is_about_money",
            )
        ]

    def __str__(self) -> str:
        return f"{self.fault} {self.ref}"

    @property
    def theirs(self) -> str:
        return _shown(self.theirs_minor, self.theirs_currency)

    @property
    def ours(self) -> str:
        return _shown(self.ours_minor, self.ours_currency)


def _shown(minor: int | None, currency: str) -> str:
    """The provider may name a currency that we do not know: then its minor units are shown."""
    if minor is None:
        return "—"
    return str(Money(minor, currency)) if currency in EXPONENTS else f"{minor} {currency}"
