from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.members.models.organisation import Organisation

LEASE: Final = timedelta(minutes=2)  # without a sign of life: then somebody else makes it
ATTEMPTS: Final = 3


class DataExportQuerySet(models.QuerySet["DataExport"]):
    def waiting(self) -> DataExportQuerySet:
        """Asked for, neither made nor given up."""
        return self.filter(finished_at__isnull=True, failed_at__isnull=True)

    def claimable(self, at: datetime) -> DataExportQuerySet:
        """Those that nobody makes now."""
        quiet = Q(claimed_at__isnull=True) | Q(claimed_at__lt=at - LEASE)
        return self.waiting().filter(quiet)

    def ready(self, at: datetime) -> DataExportQuerySet:
        """Those that can be downloaded."""
        return self.filter(finished_at__isnull=False, expires_at__gt=at)

    def over(self, at: datetime) -> DataExportQuerySet:
        """Those whose time to be downloaded, or to be read of as failed, has passed."""
        return self.filter(expires_at__lte=at)


class DataExport(models.Model):
    """Everything that is kept of an organisation, asked for by its owner: made once, kept for days.

    The row is the queue: whoever claims it makes it; who falls silent loses it to the next.
    """

    key = models.UUIDField(_("key"), default=uuid.uuid4, unique=True, editable=False)
    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="data_exports",
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("asked for by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    asked_at = models.DateTimeField(_("asked for"), default=timezone.now, editable=False)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    claimed_at = models.DateTimeField(_("last sign of life"), null=True, blank=True)
    steps_done = models.PositiveIntegerField(_("parts made"), default=0)
    steps = models.PositiveIntegerField(_("parts"), default=0)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    failed_at = models.DateTimeField(_("given up"), null=True, blank=True)
    size = models.BigIntegerField(_("size in bytes"), default=0)
    expires_at = models.DateTimeField(_("kept until"), null=True, blank=True)

    objects: ClassVar[DataExportQuerySet] = DataExportQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation"],
                condition=Q(finished_at__isnull=True, failed_at__isnull=True),
                name="data_export_waits_once",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(failed_at__isnull=True),
                name="data_export_made_or_not",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, failed_at__isnull=True)
                | Q(expires_at__isnull=False),
                name="data_export_is_kept_for_a_time",
            ),
            models.CheckConstraint(
                condition=Q(steps_done__lte=F("steps")), name="data_export_steps_add_up"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organisation}, {self.asked_at:%Y-%m-%d}"

    def content(self) -> Iterator[bytes]:
        """The file, piece by piece."""
        for piece in self.pieces.order_by("place").iterator(chunk_size=4):
            yield bytes(piece.content)


class DataExportPiece(models.Model):
    """A part of the file: any web process can send it, and no worker holds it whole."""

    export = models.ForeignKey(
        DataExport, verbose_name=_("export"), on_delete=models.CASCADE, related_name="pieces"
    )
    place = models.PositiveIntegerField(_("place"))
    content = models.BinaryField(_("content"))

    class Meta:
        verbose_name = _("piece of a data export")
        verbose_name_plural = _("pieces of data exports")
        constraints = [
            models.UniqueConstraint(fields=["export", "place"], name="data_export_piece_once")
        ]

    def __str__(self) -> str:
        return f"{self.export_id}/{self.place}"
