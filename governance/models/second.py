from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Second(models.Model):
    """Somebody beside the proposer thinks that the body should decide a motion."""

    motion = models.ForeignKey(
        "governance.Motion", on_delete=models.CASCADE, related_name="seconds"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("seconded by"),
    )
    given_at = models.DateTimeField(_("seconded"))

    class Meta:
        verbose_name = _("second")
        verbose_name_plural = _("seconds")
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["motion", "user"], name="second_once_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.motion}"
