from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Redaction(models.Model):
    """A passage of a motion that the public does not read, with who took it out, when and why.

    The original stays: the body reads it, and its hash is public, so that it can be shown later
    that nothing else stood there. A trigger of the database keeps the row as it is.
    """

    motion = models.ForeignKey(
        "governance.Motion", on_delete=models.PROTECT, related_name="redactions"
    )
    passage = models.TextField(_("passage"))
    passage_sha256 = models.CharField(max_length=64)
    because = models.CharField(_("reason"), max_length=300)
    redacted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    redacted_at = models.DateTimeField(_("redacted"))

    class Meta:
        verbose_name = _("redaction")
        verbose_name_plural = _("redactions")
        ordering = ["redacted_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="redaction_has_a_reason", condition=~Q(passage="") & ~Q(because="")
            ),
            models.UniqueConstraint(
                fields=["motion", "passage_sha256"], name="redaction_of_a_passage_once"
            ),
        ]

    def __str__(self) -> str:
        return str(_("passage taken out: %(why)s") % {"why": self.because})
