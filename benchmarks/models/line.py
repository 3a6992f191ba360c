from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from benchmarks.models.queue import Asked, AskedQuerySet

LINE_METHOD: Final = 1  # rises when the search for changes does, so that answers are made again


class Line(Asked):
    """The medians of one thing over its versions, and where they change once that is computed.

    Named by its values: a run that comes or goes makes another line.
    """

    digest = models.CharField(_("hash of the values"), max_length=64, unique=True)
    values = models.JSONField(_("values"))
    changes = models.JSONField(_("changes"), default=list)

    objects: ClassVar[models.Manager[Line]] = AskedQuerySet.as_manager()

    class Meta:
        verbose_name = _("line over versions")
        verbose_name_plural = _("lines over versions")

    def __str__(self) -> str:
        return self.digest[:12]

    @staticmethod
    def digest_of(values: Sequence[float]) -> str:
        return hashlib.sha256(json.dumps([LINE_METHOD, *values]).encode()).hexdigest()


class ChangeMark(models.Model):
    """What people say of a change point: that it has a reason, or that it is none."""

    class Finding(models.TextChoices):
        EXPLAINED = "explained", _("explained")
        FALSE = "false", _("no real change")

    connector = models.CharField(_("connector in addresses"), max_length=80)
    series = models.CharField(_("series"), max_length=16)
    version = models.CharField(_("version"), max_length=300)
    finding = models.CharField(_("finding"), max_length=10, choices=Finding)
    reason = models.CharField(_("reason"), max_length=300)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    marked_at = models.DateTimeField(_("marked"))

    class Meta:
        verbose_name = _("mark of a change")
        verbose_name_plural = _("marks of changes")
        constraints = [
            models.UniqueConstraint(
                fields=["connector", "series", "version"], name="benchmark_change_marked_once"
            ),
            models.CheckConstraint(
                condition=models.Q(finding__in=["explained", "false"]),
                name="benchmark_change_finding_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.connector} {self.version}: {self.get_finding_display()}"
