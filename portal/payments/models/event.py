from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.payments.models.order import Order


class ProviderEventQuerySet(models.QuerySet["ProviderEvent"]):
    def unhandled(self) -> ProviderEventQuerySet:
        return self.filter(handled_at__isnull=True)

    def due(self, at: datetime) -> ProviderEventQuerySet:
        """What the sweep tries again at `at`."""
        return self.unhandled().filter(next_attempt_at__lte=at).order_by("received_at")

    def waiting(self) -> ProviderEventQuerySet:
        """Events that came before the payment they speak of."""
        return self.unhandled().exclude(waits_for="")

    def newest_at(self) -> datetime | None:
        """When the last of them came."""
        newest: datetime | None = self.aggregate(newest=models.Max("received_at"))["newest"]
        return newest


class ProviderEvent(models.Model):
    """The inbox of webhooks: stored first, handled once, kept as it came."""

    class Outcome(models.TextChoices):
        RECEIVED = "received", _("received")
        BOOKED = "booked", _("booked")
        IGNORED = "ignored", _("nothing to do")
        WAITING = "waiting", _("waits for its payment")
        FAILED = "failed", _("failed, tried again")

    provider = models.CharField(_("provider"), max_length=20)
    event_id = models.CharField(_("event"), max_length=255)
    kind = models.CharField(_("type"), max_length=100)
    payload = models.JSONField(_("payload"))
    received_at = models.DateTimeField(_("received"), default=timezone.now, editable=False)
    handled_at = models.DateTimeField(_("handled"), null=True, blank=True)
    outcome = models.CharField(
        _("outcome"), max_length=10, choices=Outcome, default=Outcome.RECEIVED
    )
    orders = models.ManyToManyField(
        Order, verbose_name=_("orders"), related_name="events", blank=True
    )
    waits_for = models.CharField(_("waits for payment"), max_length=255, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt"), default=timezone.now)
    last_error = models.CharField(_("last error"), max_length=300, blank=True)

    objects: ClassVar[ProviderEventQuerySet] = ProviderEventQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("provider event")
        verbose_name_plural = _("provider events")
        ordering = ["-received_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "event_id"], name="provider_event_once"),
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"],
                name="provider_event_due",
                condition=Q(handled_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"
