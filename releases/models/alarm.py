from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from releases.models.key import SigningKey
from releases.models.repository import Repository

ABOUT_A_KEY = Q(kind="key", key__isnull=False, repository=None)
ABOUT_A_REPOSITORY = Q(kind__in=["renewal", "reading"], key=None, repository__isnull=False)


class Alarm(models.Model):
    """Who can do something was told of it: once for each step towards, or since, a moment."""

    class Kind(models.TextChoices):
        KEY = "key", _("a key ends")
        RENEWAL = "renewal", _("an index ends and was not renewed")
        READING = "reading", _("clients cannot use a repository")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    key = models.ForeignKey(SigningKey, null=True, on_delete=models.CASCADE, related_name="alarms")
    repository = models.ForeignKey(
        Repository, null=True, on_delete=models.CASCADE, related_name="alarms"
    )
    moment = models.DateTimeField(_("when it ends, or began"))
    step = models.PositiveSmallIntegerField(
        _("step"), default=0, help_text=_("Days before, or percent of the time that were left.")
    )
    told_at = models.DateTimeField(_("told"))

    objects: ClassVar[models.Manager[Alarm]] = models.Manager()

    class Meta:
        verbose_name = _("alarm")
        verbose_name_plural = _("alarms")
        constraints = [
            models.CheckConstraint(
                condition=ABOUT_A_KEY | ABOUT_A_REPOSITORY, name="alarm_is_about_one_thing"
            ),
            models.UniqueConstraint(
                fields=["kind", "key", "repository", "moment", "step"],
                name="alarm_told_once",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.key or self.repository}"
