from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.members.models.logo import Logo
from portal.members.models.organisation import Organisation


class LogoChange(models.Model):
    """From then on an organisation showed that picture, or none. Rows are only added."""

    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="logo_changes",
    )
    logo = models.ForeignKey(
        Logo,
        verbose_name=_("logo"),
        null=True,
        on_delete=models.PROTECT,
        related_name="changes",
        help_text=_("Empty: it was taken down."),
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("changed by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed"), default=timezone.now, editable=False)
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    objects: ClassVar[models.Manager[LogoChange]] = models.Manager()

    class Meta:
        verbose_name = _("change of a logo")
        verbose_name_plural = _("changes of logos")
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(logo__isnull=False) | ~Q(reason=""), name="logo_taken_down_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organisation}: {self.logo or '—'}"
