from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from releases.models.repository import Repository


class RenewalAlarm(models.Model):
    """A warning that an index ends and was not renewed: who can do something was told."""

    repository = models.ForeignKey(
        Repository, on_delete=models.CASCADE, related_name="renewal_alarms"
    )
    valid_until = models.DateTimeField(_("valid until"))
    percent = models.PositiveSmallIntegerField(_("percent of its time that were left"))
    told_at = models.DateTimeField(_("told"))

    objects: ClassVar[models.Manager[RenewalAlarm]] = models.Manager()

    class Meta:
        verbose_name = _("warning of an index that ends")
        verbose_name_plural = _("warnings of indices that end")
        constraints = [
            models.UniqueConstraint(
                fields=["repository", "valid_until", "percent"], name="renewal_warned_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.repository} {self.percent} %"
