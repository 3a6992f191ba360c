from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, Order


class RefundState(models.TextChoices):
    ASKED = "asked", _("is being sent to the provider")
    SENT = "sent", _("taken by the provider, its event is awaited")
    BOOKED = "booked", _("booked")
    RETURNED = "returned", _("came back")
    REFUSED = "refused", _("refused by the provider")


class RefundRequestQuerySet(models.QuerySet["RefundRequest"]):
    def with_booking(self) -> RefundRequestQuerySet:
        """Adds `booked` and `returned`: what the ledger knows of it."""
        entries = LedgerEntry.objects.filter(
            provider=OuterRef("payment__provider"), provider_ref=OuterRef("refund_id")
        )
        return self.annotate(
            booked=Exists(entries.filter(kind=EntryKind.REFUND)),
            returned=Exists(entries.filter(kind=EntryKind.REFUND_RETURNED)),
        )

    def pending(self) -> RefundRequestQuerySet:
        """Promised, and not in the ledger yet."""
        found = self.with_booking().filter(refused_at__isnull=True)
        return found.filter(booked=False)  # type: ignore[misc]  # annotated

    def unsent(self, asked_before: datetime) -> RefundRequestQuerySet:
        """Those of which nobody knows whether the provider took them."""
        unknown = self.filter(refund_id="", refused_at__isnull=True)
        return unknown.filter(asked_at__lte=asked_before).order_by("asked_at")


class RefundRequest(models.Model):
    """The treasurer's word that money goes back: the row is there before the provider is asked.

    Its key makes it one refund, however often it is sent. The ledger says when it is booked.
    """

    key = models.UUIDField(_("key"), default=uuid.uuid4, unique=True, editable=False)
    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="refund_requests"
    )
    payment = models.ForeignKey(
        LedgerEntry,
        verbose_name=_("payment"),
        on_delete=models.PROTECT,
        related_name="refund_requests",
    )
    amount_minor = models.BigIntegerField(_("amount in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    reason = models.CharField(_("reason"), max_length=200)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("asked for by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    asked_at = models.DateTimeField(_("asked for"), default=timezone.now, editable=False)
    refund_id = models.CharField(_("refund at the provider"), max_length=255, blank=True)
    refused_at = models.DateTimeField(_("refused"), null=True, blank=True)
    last_error = models.CharField(_("what the provider said"), max_length=300, blank=True)

    objects: ClassVar[RefundRequestQuerySet] = RefundRequestQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("refund asked for")
        verbose_name_plural = _("refunds asked for")
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="refund_gives_something"),
            models.CheckConstraint(condition=~Q(reason=""), name="refund_has_reason"),
            models.CheckConstraint(
                condition=Q(refund_id="") | Q(refused_at__isnull=True),
                name="refund_sent_or_refused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount}, {self.order.description}"

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)

    @property
    def state(self) -> RefundState:
        """Ask it of rows that come from `with_booking`."""
        if self.refused_at is not None:
            return RefundState.REFUSED
        if getattr(self, "returned", False):
            return RefundState.RETURNED
        if getattr(self, "booked", False):
            return RefundState.BOOKED
        return RefundState.SENT if self.refund_id else RefundState.ASKED
