from __future__ import annotations

from math import isfinite

from django.db import models
from django.utils.translation import gettext_lazy as _

from benchmarks.models.result import Result
from benchmarks.statistics.describe import FEWEST
from benchmarks.statistics.shape import grade


class Statistics(models.Model):
    """What was computed of one result, in its unit; shares are fractions.

    A result with a summary only has its headline here and nothing else: no interval, no verdict.
    """

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="statistics"
    )
    processes = models.PositiveIntegerField(_("processes"))
    samples = models.PositiveIntegerField(_("samples"))
    median = models.FloatField(_("median of process medians"))
    mad = models.FloatField(_("median absolute deviation"), null=True)
    minimum = models.FloatField(_("smallest sample"), null=True)
    lower_quartile = models.FloatField(_("lower quartile"), null=True)
    upper_quartile = models.FloatField(_("upper quartile"), null=True)
    maximum = models.FloatField(_("largest sample"), null=True)
    between = models.FloatField(_("variation between processes"), null=True)
    within = models.FloatField(_("variation within processes"), null=True)
    low = models.FloatField(_("interval from"), null=True)
    high = models.FloatField(_("interval to"), null=True)
    flags = models.JSONField(_("flags"), default=list)

    class Meta:
        verbose_name = _("statistics of a result")
        verbose_name_plural = _("statistics of results")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(low__isnull=True, high__isnull=True)
                | models.Q(low__lte=models.F("high")),
                name="benchmark_statistics_interval_in_order",
            )
        ]

    def __str__(self) -> str:
        return f"{self.median:g}"

    @property
    def is_summary(self) -> bool:
        return self.samples == 0

    @property
    def noise_grade(self) -> str:
        """A to E; empty where there are too few processes to say."""
        return grade(self.between, self.processes, FEWEST)

    @property
    def half_width(self) -> float | None:
        """Half of the interval as a share of the median."""
        if self.low is None or self.high is None or not self.median:
            return None
        share = (self.high - self.low) / 2 / self.median
        return share if isfinite(share) else None
