from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchmarks.models.result import Result
from benchmarks.models.run import Trust
from benchmarks.models.suite import Suite

TRUSTED_FROM: Final = int(Trust.OUR_RUNNER)  # or reproduced by another uploader
# Numbers of different metrics have no order among each other. The first of these that a case has is
# the one that its list shows, until another is asked for; a line keeps the place in here.
METRICS: Final = (
    *("throughput", "rows_per_second", "latency", "duration", "ratio"),
    *("cpu_time", "memory", "bytes", "count"),
)


class LedgerLineQuerySet(models.QuerySet["LedgerLine"]):
    def trusted(self) -> LedgerLineQuerySet:
        """What lists show unless they are asked for more."""
        return self.filter(trust__gte=TRUSTED_FROM)

    def told(self) -> LedgerLineQuerySet:
        """With what a page says of them; what a machine was is said on its own page."""
        heavy = ("environment", "notes", "tool", "remarks", "tags")
        return self.select_related(
            "result__run__suite", "result__run__uploader", "result__statistics"
        ).defer(*(f"result__run__{name}" for name in heavy))


class LedgerLine(models.Model):
    """A published result with its number, laid out so that a page of a million is found quickly.

    Triggers of the database write it (migrations 0004 and 0008): a result gets its line when its
    statistics are computed and its run is published, and loses it when the run leaves the lists.
    """

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="line"
    )
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="+", db_index=False)
    case_slug = models.CharField(_("case"), max_length=80)
    subject = models.CharField(_("subject"), max_length=80)
    version = models.CharField(_("version"), max_length=40)
    placement = models.CharField(_("CPU placement"), max_length=40)
    transport = models.CharField(_("transport"), max_length=40)
    prepare = models.CharField(_("prepared"), max_length=40)
    machine = models.CharField(_("fingerprint of the machine"), max_length=64)
    trust = models.PositiveSmallIntegerField(_("trust"))
    uploaded_at = models.DateTimeField(_("uploaded"))
    metric = models.PositiveSmallIntegerField(_("metric, by its place in METRICS"))
    median = models.FloatField(_("median, times in seconds"))

    objects = LedgerLineQuerySet.as_manager()

    class Meta:
        verbose_name = _("line of the ledger")
        verbose_name_plural = _("lines of the ledger")
        indexes = [
            *(
                models.Index(
                    fields=["suite", "case_slug", *fields], name=f"benchmark_ledger_{name}"
                )
                for name, fields in {
                    "rising": ["metric", "placement", "median"],
                    "falling": ["metric", "placement", "-median"],
                    "placement": ["placement"],
                    "subject": ["subject", "version"],
                    "date": ["uploaded_at"],
                    "trust": ["trust"],
                    "transport": ["transport"],
                    "prepare": ["prepare"],
                    "machine": ["machine"],
                    "version": ["version"],
                }.items()
            ),
            *(
                models.Index(
                    fields=["suite", "case_slug", "metric", "placement", field],
                    condition=Q(trust__gte=TRUSTED_FROM),
                    name=f"benchmark_trusted_{name}",
                )
                for name, field in {"rising": "median", "falling": "-median"}.items()
            ),
            models.Index(
                fields=[
                    *("suite", "subject", "version", "case_slug", "metric"),
                    *("-trust", "-uploaded_at"),
                ],
                name="benchmark_ledger_matrix",
            ),
            models.Index(
                fields=[
                    *("suite", "subject", "version", "case_slug", "metric"),
                    *("-trust", "-uploaded_at"),
                ],
                condition=Q(trust__gte=TRUSTED_FROM),
                name="benchmark_trusted_matrix",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.version}, {self.case_slug}: {self.median:g}"
