from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Silence(models.Model):
    """Somebody wants no letter when their comments are answered; without a row they get one."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.user)
