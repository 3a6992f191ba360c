from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.consent import Consent
from governance.models.meeting import Meeting


class Filing(models.Model):
    """A written consent is filed with the minutes of the meeting that came after it.

    Written when those minutes are put before the body. A trigger of the database keeps the row.
    """

    consent = models.OneToOneField(Consent, on_delete=models.PROTECT, related_name="filing")
    meeting = models.ForeignKey(Meeting, on_delete=models.PROTECT, related_name="filings")
    filed_at = models.DateTimeField(_("filed"))

    class Meta:
        verbose_name = _("filing of a consent")
        verbose_name_plural = _("filings of consents")
        ordering = ["consent__effective_at", "pk"]

    def __str__(self) -> str:
        return f"{self.consent}: {self.meeting}"
