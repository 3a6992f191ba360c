from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Collection(models.Model):
    """A run of the garbage collection: what it removed. One that was killed has no end."""

    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), null=True)
    publications = models.PositiveIntegerField(_("publications without their indices"), default=0)
    files = models.PositiveIntegerField(_("files"), default=0)
    size = models.BigIntegerField(_("bytes"), default=0)

    objects: ClassVar[models.Manager[Collection]] = models.Manager()

    class Meta:
        verbose_name = _("garbage collection")
        verbose_name_plural = _("garbage collections")
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"
