"""Weeks and months, and the counts of all servers in them."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from feedback.models.server_week import facts_since


class PeriodQuerySet(models.QuerySet["Period"]):
    def stale(self, at: dt.datetime) -> PeriodQuerySet:
        """Periods whose facts changed since they were counted, and are still there to count."""
        changed = self.exclude(changes=F("counted_changes"))
        return changed.filter(start__gte=facts_since(at)).order_by("unit", "start")

    def months(self) -> PeriodQuerySet:
        return self.filter(unit=Period.Unit.MONTH, computed_at__isnull=False).order_by("start")

    def weeks(self) -> PeriodQuerySet:
        return self.filter(unit=Period.Unit.WEEK, computed_at__isnull=False).order_by("start")


class Period(models.Model):
    """A week or a month of counts, and whether they are up to date: two numbers say it, since a
    clock cannot order a transaction that began earlier and ended later.
    """

    class Unit(models.TextChoices):
        WEEK = "week", _("week")
        MONTH = "month", _("month")

    unit = models.CharField(_("unit"), max_length=5, choices=Unit.choices)
    start = models.DateField(_("start"))
    changes = models.PositiveBigIntegerField(_("changes of facts"), default=0)
    counted_changes = models.PositiveBigIntegerField(_("changes counted"), default=0)
    computed_at = models.DateTimeField(_("computed"), null=True)

    objects = PeriodQuerySet.as_manager()

    class Meta:
        verbose_name = _("period")
        verbose_name_plural = _("periods")
        constraints = [models.UniqueConstraint(fields=["unit", "start"], name="period_once")]

    def __str__(self) -> str:
        return f"{self.unit} {self.start}"

    @property
    def end(self) -> dt.date:
        """The first day that no longer belongs to it."""
        if self.unit == self.Unit.WEEK:
            return self.start + dt.timedelta(days=7)
        return (self.start.replace(day=28) + dt.timedelta(days=4)).replace(day=1)


class Count(models.Model):
    """Servers in one cell of a chart. Never published as it is: see `publication.py`."""

    period = models.ForeignKey(
        Period, on_delete=models.CASCADE, related_name="counts", verbose_name=_("period")
    )
    chart = models.CharField(_("chart"), max_length=20)
    group = models.CharField(_("group"), max_length=40, blank=True)
    label = models.CharField(_("label"), max_length=128)
    servers = models.PositiveIntegerField(_("servers"))

    class Meta:
        verbose_name = _("count")
        verbose_name_plural = _("counts")
        constraints = [
            models.UniqueConstraint(
                fields=["period", "chart", "group", "label"], name="count_once"
            ),
            models.CheckConstraint(name="count_of_someone", condition=Q(servers__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.chart} {self.group} {self.label}: {self.servers}"


class CrossCount(models.Model):
    """Servers of a label within a series, a system or both: may be published as it is.

    Without a series it holds what is not told of any; without a system, all systems.
    """

    period = models.ForeignKey(
        Period, on_delete=models.CASCADE, related_name="cross_counts", verbose_name=_("period")
    )
    chart = models.CharField(_("chart"), max_length=20)
    series = models.CharField(_("series"), max_length=10, blank=True)
    system = models.CharField(_("system"), max_length=30, blank=True)
    label = models.CharField(_("label"), max_length=40)
    servers = models.PositiveIntegerField(_("servers"))
    base = models.PositiveIntegerField(_("of servers"))

    class Meta:
        verbose_name = _("count within a group")
        verbose_name_plural = _("counts within groups")
        constraints = [
            models.UniqueConstraint(
                fields=["period", "chart", "label", "series", "system"], name="cross_count_once"
            ),
            models.CheckConstraint(
                name="cross_count_not_small", condition=Q(servers=0) | Q(servers__gte=10)
            ),
            models.CheckConstraint(
                name="cross_count_of_its_base",
                condition=Q(servers=F("base")) | Q(servers__lte=F("base") - 10),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.chart} {self.series} {self.system} {self.label}: {self.servers}"
