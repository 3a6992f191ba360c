from __future__ import annotations

import struct
from itertools import accumulate, pairwise
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from benchmarks.documents import DIRECTIONS, METRICS, UNITS
from benchmarks.models.case import Case
from benchmarks.models.run import Run, State, Trust

PERCENT = "%"  # published figures only: no tool may upload it


class ResultQuerySet(models.QuerySet["Result"]):
    def published(self) -> ResultQuerySet:
        return self.filter(run__state=State.PUBLISHED)

    def told(self) -> ResultQuerySet:
        """With what a page says of it."""
        return self.select_related("run", "run__suite", "run__uploader", "statistics")


class Result(models.Model):
    """One case of one subject in one run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="results")
    position = models.PositiveSmallIntegerField(_("position in the file"))
    case = models.ForeignKey(Case, null=True, on_delete=models.PROTECT, related_name="results")
    case_slug = models.CharField(_("case"), max_length=80)
    subject_slug = models.CharField(_("subject in addresses"), max_length=80)
    connector = models.CharField(_("connector in addresses"), max_length=80, default="")
    subject = models.CharField(_("subject"), max_length=310)
    version = models.CharField(_("version"), max_length=300, blank=True)
    implementation = models.CharField(_("what was loaded"), max_length=300, blank=True)
    package = models.CharField(_("package"), max_length=300, blank=True)
    runtime = models.CharField(_("runtime"), max_length=300, blank=True)
    params = models.JSONField(_("parameters"), default=dict)
    metric = models.CharField(_("metric"), max_length=20)
    unit = models.CharField(_("unit"), max_length=10)
    direction = models.CharField(_("better"), max_length=10)
    summary = models.JSONField(_("summary of the tool"), default=dict)
    evidence = models.JSONField(_("evidence of the server"), default=dict)
    flags = models.JSONField(_("flags of the reader"), default=list)
    trust = models.PositiveSmallIntegerField(
        _("trust"), choices=Trust, default=Trust.ANONYMOUS, help_text=_("of its run, or higher")
    )
    reproduced_by = models.ForeignKey(
        Run, null=True, on_delete=models.SET_NULL, related_name="reproduces"
    )
    error = models.CharField(_("why there is no number"), max_length=1000, blank=True)

    objects: ClassVar[models.Manager[Result]] = ResultQuerySet.as_manager()

    class Meta:
        verbose_name = _("benchmark result")
        verbose_name_plural = _("benchmark results")
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="benchmark_result_place_once"),
            models.CheckConstraint(
                condition=models.Q(unit__in=[*UNITS, PERCENT]), name="benchmark_result_unit_known"
            ),
            models.CheckConstraint(
                condition=models.Q(metric__in=METRICS), name="benchmark_result_metric_known"
            ),
            models.CheckConstraint(
                condition=models.Q(direction__in=DIRECTIONS),
                name="benchmark_result_direction_known",
            ),
        ]
        indexes = [
            models.Index(fields=["case_slug", "subject"], name="benchmark_result_ledger"),
            models.Index(fields=["connector", "case_slug"], name="benchmark_result_connector"),
        ]

    def __str__(self) -> str:
        return f"{self.label}, {self.case_slug}"

    @property
    def label(self) -> str:
        return f"{self.subject} {self.version}".strip()


class Samples(models.Model):
    """The measurements as [process][iteration], laid flat: processes may differ in length.

    Each is a double of eight bytes, the most significant first, as PostgreSQL sends them too: a
    column of numbers takes the database and Django a microsecond each.
    """

    result = models.OneToOneField(
        Result, on_delete=models.CASCADE, primary_key=True, related_name="samples"
    )
    packed = models.BinaryField(_("measurements"))
    lengths = ArrayField(models.PositiveIntegerField())

    class Meta:
        verbose_name = _("samples")
        verbose_name_plural = _("samples")

    def __str__(self) -> str:
        return f"{sum(self.lengths)} samples"

    @classmethod
    def laid_flat(cls, result: Result, processes: list[list[float]]) -> Samples:
        return cls(
            result=result,
            packed=b"".join(struct.pack(f">{len(one)}d", *one) for one in processes),
            lengths=[len(process) for process in processes],
        )

    def processes(self) -> list[list[float]]:
        packed, ends = bytes(self.packed), [0, *accumulate(8 * one for one in self.lengths)]
        return [
            list(struct.unpack(f">{(end - start) // 8}d", packed[start:end]))
            for start, end in pairwise(ends)
        ]
