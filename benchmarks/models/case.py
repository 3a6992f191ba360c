from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmarks.models.suite import Suite


class Case(models.Model):
    """One piece of work, defined as data. A changed definition is a new version."""

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="cases")
    slug = models.CharField(_("address"), max_length=80)
    name = models.CharField(_("name"), max_length=120)
    version = models.PositiveSmallIntegerField(_("version"), default=1)
    definition = models.JSONField(_("definition"))
    definition_hash = models.CharField(_("hash of the definition"), max_length=64)
    unit = models.CharField(_("unit"), max_length=10)
    direction = models.CharField(_("better"), max_length=10)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    created_at = models.DateTimeField(_("defined"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("benchmark case")
        verbose_name_plural = _("benchmark cases")
        ordering = ["suite", "position", "slug", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["suite", "slug", "version"], name="benchmark_case_version_once"
            ),
            models.UniqueConstraint(
                fields=["suite", "slug", "definition_hash"], name="benchmark_case_definition_once"
            ),
            models.CheckConstraint(
                condition=models.Q(direction__in=["higher", "lower"]),
                name="benchmark_case_direction_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (version {self.version})"
