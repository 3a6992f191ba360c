"""What has been imported already, so that an import goes on where it was interrupted."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ImportedPart(models.Model):
    """Some hundred reports of an archive; written in the transaction that takes them in."""

    archive = models.BinaryField(_("digest of the archive"), max_length=32)
    part = models.PositiveIntegerField(_("part"))
    reports = models.PositiveIntegerField(_("reports"))
    imported_at = models.DateTimeField(_("imported"))

    class Meta:
        verbose_name = _("imported part of an archive")
        verbose_name_plural = _("imported parts of archives")
        constraints = [models.UniqueConstraint(fields=["archive", "part"], name="part_once")]

    def __str__(self) -> str:
        return f"{self.part}"
