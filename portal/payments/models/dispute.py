from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.models.order import Order


class DisputeState(models.TextChoices):
    """Stripe's words. A warning is a bank's question: no money was taken for it."""

    WARNING_NEEDS_RESPONSE = "warning_needs_response", _("the bank asks, an answer is due")
    WARNING_UNDER_REVIEW = "warning_under_review", _("the bank asks, answered")
    NEEDS_RESPONSE = "needs_response", _("an answer is due")
    UNDER_REVIEW = "under_review", _("answered, the bank decides")
    WARNING_CLOSED = "warning_closed", _("the bank's question is closed")
    PREVENTED = "prevented", _("prevented")
    WON = "won", _("won")
    LOST = "lost", _("lost")


CLOSED = [
    DisputeState.WARNING_CLOSED,
    DisputeState.PREVENTED,
    DisputeState.WON,
    DisputeState.LOST,
]
ANSWER_DUE = [DisputeState.WARNING_NEEDS_RESPONSE, DisputeState.NEEDS_RESPONSE]


class DisputeQuerySet(models.QuerySet["Dispute"]):
    def open(self) -> DisputeQuerySet:
        return self.exclude(state__in=CLOSED)

    def answer_due(self, at: datetime) -> DisputeQuerySet:
        """Those that wait for the treasurer, the most urgent first."""
        due = self.filter(state__in=ANSWER_DUE).exclude(evidence_due_at__lte=at)
        return due.order_by("evidence_due_at", "pk")


class Dispute(models.Model):
    """A payer's bank asks for the money of a payment back; its money is in the ledger."""

    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="disputes"
    )
    provider = models.CharField(_("provider"), max_length=20)
    dispute_id = models.CharField(_("dispute"), max_length=255)
    state = models.CharField(_("state"), max_length=30, choices=DisputeState)
    reason = models.CharField(_("reason"), max_length=60)
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    evidence_due_at = models.DateTimeField(_("answer due"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"))
    told_at = models.DateTimeField(_("newest news"), help_text=_("By the provider's clock."))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects: ClassVar[DisputeQuerySet] = DisputeQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering = ["-opened_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "dispute_id"], name="dispute_once"),
            models.CheckConstraint(
                condition=Q(amount_minor__gt=0), name="dispute_is_about_something"
            ),
            models.CheckConstraint(
                condition=Q(currency__in=list(EXPONENTS)), name="dispute_currency_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dispute_id}, {self.amount}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)

    @property
    def reason_words(self) -> str:
        """`product_not_received` as people read it."""
        return self.reason.replace("_", " ")

    @property
    def is_closed(self) -> bool:
        return self.state in CLOSED
