from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.models import OutboxMail
from portal.members.models.subscriber import Subscriber


class MailingQuerySet(models.QuerySet["Mailing"]):
    def sent(self) -> MailingQuerySet:
        return self.filter(sent_at__isnull=False).order_by("-sent_at")

    def with_counts(self) -> MailingQuerySet:
        """With `recipients` and `failed`, the copies that were given up."""
        given_up = Q(deliveries__letter__given_up_at__isnull=False)
        counted = self.annotate(
            recipients=Count("deliveries"), failed=Count("deliveries", filter=given_up)
        )
        return counted.select_related("written_by", "sent_by").order_by("-created_at", "-pk")

    def drafts(self) -> MailingQuerySet:
        return self.filter(sent_at__isnull=True)


class Mailing(models.Model):
    """A letter to the advisory list: a draft of the staff, then part of the archive."""

    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"), max_length=50_000)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("written by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    created_at = models.DateTimeField(_("written"), default=timezone.now, editable=False)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("sent by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    objects: ClassVar[MailingQuerySet] = MailingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("letter to the advisory list")
        verbose_name_plural = _("letters to the advisory list")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True, sent_by__isnull=True)
                | Q(sent_at__isnull=False, sent_by__isnull=False),
                name="mailing_sent_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.subject

    def get_absolute_url(self) -> str:
        return reverse("members:mailing", args=[self.pk])

    def delivery_counts(self) -> dict[str, int]:
        """How many copies there are, left, wait, and were given up."""
        return self.deliveries.aggregate(
            recipients=Count("pk"),
            left=Count("pk", filter=Q(letter__sent_at__isnull=False)),
            waiting=Count(
                "pk", filter=Q(letter__sent_at__isnull=True, letter__given_up_at__isnull=True)
            ),
            failed=Count("pk", filter=Q(letter__given_up_at__isnull=False)),
        )


class Delivery(models.Model):
    """One letter of a mailing to one seat; what became of it is in the outbox."""

    mailing = models.ForeignKey(
        Mailing, verbose_name=_("letter"), on_delete=models.CASCADE, related_name="deliveries"
    )
    subscriber = models.ForeignKey(
        Subscriber, verbose_name=_("seat"), on_delete=models.PROTECT, related_name="deliveries"
    )
    letter = models.OneToOneField(
        OutboxMail,
        verbose_name=_("outgoing mail"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["mailing", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["mailing", "subscriber"], name="delivery_once_to_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mailing}: {self.subscriber}"
