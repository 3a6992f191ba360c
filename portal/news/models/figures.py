from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.news.models.announcement import Announcement
from portal.news.quarter import Quarter
from portal.news.tables import Table


class ReportFigures(models.Model):
    """The figures of a quarterly report, as they were computed last; frozen once it is public."""

    announcement = models.OneToOneField(
        Announcement,
        on_delete=models.CASCADE,
        related_name="figures",
        verbose_name=_("announcement"),
    )
    year = models.PositiveSmallIntegerField(_("year"))
    number = models.PositiveSmallIntegerField(_("quarter"))
    tables = models.JSONField(_("tables"), default=list)
    computed_at = models.DateTimeField(_("computed"), default=timezone.now)

    objects: ClassVar[models.Manager[ReportFigures]] = models.Manager()

    class Meta:
        verbose_name = _("figures of a report")
        verbose_name_plural = _("figures of reports")
        ordering = ["-year", "-number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=4), name="report_of_a_quarter"
            )
        ]

    def __str__(self) -> str:
        return str(self.quarter)

    def get_absolute_url(self) -> str:
        return reverse("news:figures", args=[self.announcement.slug])

    @property
    def quarter(self) -> Quarter:
        return Quarter(self.year, self.number)

    def read(self) -> list[Table]:
        """The tables as they were kept."""
        return [Table.from_json(kept) for kept in self.tables]
