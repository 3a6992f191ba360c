from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from benchmarks.models.queue import Asked, AskedQuerySet

METHOD = 3  # rises when the arithmetic changes, so that kept answers are computed again


class Comparison(Asked):
    """Two selections somebody asked to see against each other, and the answer once computed.

    A selection is text: ``run``, ``run:subject`` or ``run:subject:position``. Runs never change,
    so the answer is kept; whether the runs may be seen is asked each time.
    """

    a = models.CharField(_("this"), max_length=140)
    b = models.CharField(_("against"), max_length=140)
    method = models.PositiveSmallIntegerField(_("method"), default=METHOD)
    rows = models.JSONField(_("findings"), default=list)

    objects: ClassVar[models.Manager[Comparison]] = AskedQuerySet.as_manager()

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
