from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.members.models import Term


class RenewalNotice(models.Model):
    """One letter about the end of a term was promised: which one, so that it goes out once."""

    term = models.ForeignKey(
        Term, verbose_name=_("term"), on_delete=models.PROTECT, related_name="renewal_notices"
    )
    days = models.SmallIntegerField(_("days before the end"), help_text=_("Negative: after it."))
    sent_at = models.DateTimeField(_("sent"), default=timezone.now, editable=False)

    objects: ClassVar[models.Manager[RenewalNotice]] = models.Manager()

    class Meta:
        verbose_name = _("renewal notice")
        verbose_name_plural = _("renewal notices")
        ordering = ["-sent_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["term", "days"], name="renewal_notice_once"),
        ]

    def __str__(self) -> str:
        return f"{self.term}: {self.days}"
