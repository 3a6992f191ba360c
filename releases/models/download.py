from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.db import models
from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from releases.models.file import File
from releases.models.product import Product


class DownloadCountQuerySet(models.QuerySet["DownloadCount"]):
    def of(self, product: Product, at: dt.datetime) -> DownloadCountQuerySet:
        """Of published releases of the product."""
        return self.filter(
            file__release__series__product=product, file__release__published_at__lte=at
        )

    def since(self, day: dt.date) -> DownloadCountQuerySet:
        return self.filter(day__gte=day)

    def total(self) -> int:
        return self.aggregate(total=Sum("count"))["total"] or 0


class DownloadCount(models.Model):
    """How often a file was fetched on a day. Nothing about who: no address, no program."""

    file = models.ForeignKey(File, on_delete=models.CASCADE, related_name="downloads")
    day = models.DateField(_("day"))
    count = models.PositiveBigIntegerField(_("downloads"))

    objects = DownloadCountQuerySet.as_manager()

    class Meta:
        verbose_name = _("download count")
        verbose_name_plural = _("download counts")
        constraints = [
            models.UniqueConstraint(fields=["file", "day"], name="download_count_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.file} {self.day.isoformat()}: {self.count}"


class DownloadBatch(models.Model):
    """Counts that were taken over from the buffer: each batch once, whoever asks again."""

    id = models.UUIDField(primary_key=True)
    kept_at = models.DateTimeField(_("kept"))

    objects: ClassVar[models.Manager[DownloadBatch]] = models.Manager()

    class Meta:
        verbose_name = _("batch of downloads")
        verbose_name_plural = _("batches of downloads")

    def __str__(self) -> str:
        return str(self.id)
