"""What a server was in a week: the facts."""

from __future__ import annotations

import datetime as dt

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class ServerWeekQuerySet(models.QuerySet["ServerWeek"]):
    def described(self) -> ServerWeekQuerySet:
        """Weeks in which a full report came; startup and shutdown alone say no version."""
        return self.filter(described_at__isnull=False)


class ServerWeek(models.Model):
    """What one server was in one week: the facts that every count is made of.

    A week that spans two months is cut at the month, so that both are exact. The database keeps
    each month in a partition of its own: that is the index of weeks.
    """

    pk = models.CompositePrimaryKey("server_key", "week")
    server_key = models.BinaryField(_("server key"), max_length=16)
    week = models.DateField(_("week"), help_text=_("Its Monday, or the first of the month."))
    first_at = models.DateTimeField(_("first report"))
    last_at = models.DateTimeField(_("last report"))
    described_at = models.DateTimeField(_("last full report"), null=True)
    started = models.BooleanField(_("started"), default=False)
    stopped = models.BooleanField(_("stopped"), default=False)
    flavour = models.SmallIntegerField(_("flavour"), default=0)
    series = models.CharField(_("series"), max_length=10, default="")
    version = models.CharField(_("version"), max_length=20, default="")
    architecture = models.CharField(_("architecture"), max_length=20, default="")
    system = models.CharField(_("system"), max_length=30, default="")
    distribution = models.CharField(_("distribution"), max_length=40, default="")
    character_set = models.SmallIntegerField(_("character set"), default=0)
    country = models.CharField(_("country"), max_length=2, default="")
    cpu_bucket = models.PositiveSmallIntegerField(_("processors, at least"), default=0)
    memory_bucket = models.PositiveSmallIntegerField(_("memory in GB, at least"), default=0)
    uptime_bucket = models.PositiveSmallIntegerField(_("days up, at least"), default=0)
    features = models.BigIntegerField(_("features"), default=0)
    engines = models.IntegerField(_("engines"), default=0)
    plugins = models.IntegerField(_("plugins"), default=0)
    replication = models.PositiveSmallIntegerField(_("replication"), default=0)
    galera_nodes = models.PositiveSmallIntegerField(_("nodes of its cluster"), default=0)
    tls = models.PositiveSmallIntegerField(_("TLS"), default=0)

    booted_at = models.DateTimeField(_("started at"), null=True)
    connections = models.BigIntegerField(_("connections since then"), default=0)
    doubts = models.SmallIntegerField(
        _("doubts"), default=0, help_text=_("Bits: see feedback/plausibility.py.")
    )
    unreleased = ArrayField(
        models.CharField(max_length=20),
        verbose_name=_("versions ahead of the catalogue"),
        null=True,
        help_text=_("Versions that it told and that had not come out: see actions/doubt.py."),
    )
    keys = ArrayField(
        models.IntegerField(),
        verbose_name=_("approved names"),
        null=True,
        help_text=_("Numbers of the approved names that are in use."),
    )

    objects = ServerWeekQuerySet.as_manager()

    class Meta:
        verbose_name = _("week of a server")
        verbose_name_plural = _("weeks of servers")
        indexes = [
            models.Index(
                fields=["week"],
                name="server_week_unreleased",
                condition=Q(unreleased__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="server_week_in_order", condition=Q(first_at__lte=F("last_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.week}"


RAW_DAYS = 90
FACT_MONTHS = 25


def facts_since(at: dt.datetime) -> dt.date:
    """The first month whose facts are still kept."""
    number = at.year * 12 + at.month - 1 - FACT_MONTHS
    return dt.date(number // 12, number % 12 + 1, 1)
