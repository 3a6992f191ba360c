from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmarks.models.queue import Queued, due

METHOD = 3  # rises when the arithmetic changes, so that kept answers are computed again
KEPT: Final = timedelta(days=30)  # asked again later, a question is answered anew


class ComparisonQuerySet(models.QuerySet["Comparison"]):
    def to_compute(self, at: datetime) -> ComparisonQuerySet:
        return self.filter(due(at)).order_by("pk")

    def to_forget(self, at: datetime) -> ComparisonQuerySet:
        """Anybody may ask, so no question is kept for ever."""
        return self.filter(asked_at__lt=at - KEPT)


class Comparison(Queued):
    """Two selections somebody asked to see against each other, and the answer once computed.

    A selection is text: ``run``, ``run:subject`` or ``run:subject:position``. Runs never change,
    so the answer is kept; whether the runs may be seen is asked each time.
    """

    a = models.CharField(_("this"), max_length=140)
    b = models.CharField(_("against"), max_length=140)
    method = models.PositiveSmallIntegerField(_("method"), default=METHOD)
    rows = models.JSONField(_("findings"), default=list)
    asked_at = models.DateTimeField(_("asked"), default=timezone.now)

    objects: ClassVar[models.Manager[Comparison]] = ComparisonQuerySet.as_manager()

    class Meta:
        verbose_name = _("comparison")
        verbose_name_plural = _("comparisons")
        constraints = [
            models.UniqueConstraint(fields=["a", "b", "method"], name="benchmark_comparison_once"),
            models.CheckConstraint(
                condition=~models.Q(a=models.F("b")), name="benchmark_comparison_of_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.a} : {self.b}"
