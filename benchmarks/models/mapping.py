from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class NameMapping(models.Model):
    """What a person said of the parts of names in files of one format: connector, case, ..."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="benchmark_mappings"
    )
    format = models.CharField(_("format"), max_length=30)
    roles = models.JSONField(_("roles of the parts, by their number"), default=dict)

    class Meta:
        verbose_name = _("mapping of names")
        verbose_name_plural = _("mappings of names")
        constraints = [
            models.UniqueConstraint(fields=["user", "format"], name="benchmark_mapping_once")
        ]

    def __str__(self) -> str:
        return self.format
