"""Reports on their way: inbox, then facts of a server and week, then counts of all servers.

The server key stands in every primary key of what belongs to one server, so that these tables
can be distributed on it. It is a keyed hash; what a server calls itself is never stored.
"""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What sent a report; the values are those of `parser.Kind`."""

    SERVER = "server", _("database server")
    MAXSCALE = "maxscale", _("MaxScale")
    TEST = "test", _("test run")


class Outcome(models.TextChoices):
    """What became of a request or a report; the page of the reports sums them up."""

    COUNTED = "counted", _("Counted")
    REPEATED = "repeated", _("Delivered again")
    TEST = "test", _("Test runs")
    MAXSCALE = "maxscale", _("Not a database server")
    NO_IDENTITY = "no_identity", _("Without an identity")
    UNREADABLE = "unreadable", _("Set aside, unreadable")
    TOO_LARGE = "too_large", _("Refused, too large")
    MALFORMED = "malformed", _("Refused, not a report")
    WITHDRAWN = "withdrawn", _("Deleted by its sender")


class Incoming(models.Model):
    """The inbox: a clean report that nobody has read yet. The row is the queue.

    `inbox.py` is the one way in; the database gives the number.
    """

    pk = models.CompositePrimaryKey("server_key", "number")
    server_key = models.BinaryField(_("server key"), max_length=16)
    number = models.BigIntegerField(_("number"))
    received_at = models.DateTimeField(_("received"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    body = models.BinaryField(_("body"), help_text=_("Compressed; identity blanked."))
    digest = models.BinaryField(_("digest"), max_length=16)
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)

    class Meta:
        verbose_name = _("incoming report")
        verbose_name_plural = _("incoming reports")
        indexes = [models.Index(fields=["number"], name="incoming_order")]
        constraints = [
            models.CheckConstraint(name="incoming_kind_known", condition=Q(kind__in=Kind.values)),
        ]

    def __str__(self) -> str:
        return f"{self.number}"


class Quarantined(models.Model):
    """A report that could not be read, with the reason, for staff to look at."""

    pk = models.CompositePrimaryKey("server_key", "number")
    server_key = models.BinaryField(_("server key"), max_length=16)
    number = models.BigIntegerField(_("number"))
    received_at = models.DateTimeField(_("received"))
    reason = models.CharField(_("reason"), max_length=200)
    body = models.BinaryField(_("body"))
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)

    class Meta:
        verbose_name = _("report set aside")
        verbose_name_plural = _("reports set aside")

    def __str__(self) -> str:
        return f"{self.number}: {self.reason}"


class Report(models.Model):
    """A report that was read: once for each server, week and content, however often it came."""

    pk = models.CompositePrimaryKey("server_key", "week", "digest")
    server_key = models.BinaryField(_("server key"), max_length=16)
    week = models.DateField(_("week"))
    digest = models.BinaryField(_("digest"), max_length=16)
    received_at = models.DateTimeField(_("received"))
    body = models.BinaryField(_("body"))
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [
            models.Index(fields=["received_at"], name="report_received"),
            models.Index(
                fields=["deletion_digest"],
                name="report_deletion",
                condition=Q(deletion_digest__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.week}"


class ServerWeekQuerySet(models.QuerySet["ServerWeek"]):
    def described(self) -> ServerWeekQuerySet:
        """Weeks in which a full report came; startup and shutdown alone say no version."""
        return self.filter(described_at__isnull=False)


class ServerWeek(models.Model):
    """What one server was in one week: the facts that every count is made of.

    A week that spans two months is cut at the month, so that both are exact.
    """

    pk = models.CompositePrimaryKey("server_key", "week")
    server_key = models.BinaryField(_("server key"), max_length=16)
    week = models.DateField(_("week"), help_text=_("Its Monday, or the first of the month."))
    month = models.DateField(_("month"))
    first_at = models.DateTimeField(_("first report"))
    last_at = models.DateTimeField(_("last report"))
    described_at = models.DateTimeField(_("last full report"), null=True)
    started = models.BooleanField(_("started"), default=False)
    stopped = models.BooleanField(_("stopped"), default=False)
    flavour = models.CharField(_("flavour"), max_length=20, default="")
    series = models.CharField(_("series"), max_length=10, default="")
    version = models.CharField(_("version"), max_length=20, default="")
    architecture = models.CharField(_("architecture"), max_length=20, default="")
    system = models.CharField(_("system"), max_length=30, default="")
    distribution = models.CharField(_("distribution"), max_length=40, default="")
    character_set = models.CharField(_("character set"), max_length=20, default="")
    cpu_bucket = models.PositiveSmallIntegerField(_("processors, at least"), default=0)
    memory_bucket = models.PositiveSmallIntegerField(_("memory in GB, at least"), default=0)
    uptime_bucket = models.PositiveSmallIntegerField(_("days up, at least"), default=0)
    features = models.BigIntegerField(_("features"), default=0)
    engines = models.BigIntegerField(_("engines"), default=0)

    objects = ServerWeekQuerySet.as_manager()

    class Meta:
        verbose_name = _("week of a server")
        verbose_name_plural = _("weeks of servers")
        indexes = [models.Index(fields=["month", "server_key"], name="server_week_month")]
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
    label = models.CharField(_("label"), max_length=40)
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


class Intake(models.Model):
    """How many reports of a day came to which end. Kept for good; it names nobody."""

    day = models.DateField(_("day"))
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome)
    reports = models.PositiveBigIntegerField(_("reports"), default=0)

    class Meta:
        verbose_name = _("intake of a day")
        verbose_name_plural = _("intake of days")
        constraints = [
            models.UniqueConstraint(fields=["day", "outcome"], name="intake_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.outcome}: {self.reports}"
