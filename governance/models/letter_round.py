from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.motion import Motion


class LetterRoundQuerySet(models.QuerySet["LetterRound"]):
    def running(self) -> LetterRoundQuerySet:
        """Those of which letters are still to be promised, the oldest first."""
        return self.filter(done_at__isnull=True).order_by("pk")


class LetterRound(models.Model):
    """Letters of one kind to everybody on the roll of a vote of members, promised batch by batch.

    `reached` is the number on the roll up to which they are promised. It moves in the transaction
    that promises them: who dies between two batches leaves nothing out and writes none twice.
    """

    class Kind(models.TextChoices):
        OPENED = "motion_opened", _("vote opened")
        REMINDER = "motion_reminder", _("reminder")
        RESULT = "motion_result", _("result")
        WITHDRAWN = "motion_withdrawn", _("withdrawn")
        TO_SIGN = "consent_opened", _("signature asked for")
        SIGN_REMINDER = "consent_reminder", _("reminder to sign")
        CONSENT_ENDED = "consent_ended", _("end of the written consent")

    motion = models.ForeignKey(Motion, on_delete=models.PROTECT, related_name="letter_rounds")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    reached = models.PositiveIntegerField(_("promised up to number"), default=0)
    begun_at = models.DateTimeField(_("begun"))
    done_at = models.DateTimeField(_("done"), null=True)

    objects = LetterRoundQuerySet.as_manager()

    class Meta:
        verbose_name = _("letter round")
        verbose_name_plural = _("letter rounds")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["motion", "kind"], name="letter_round_once"),
        ]
        indexes = [
            models.Index(
                fields=["id"], name="letter_round_running", condition=models.Q(done_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.motion}: {self.get_kind_display()}"
