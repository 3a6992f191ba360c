from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.election import Election


class ElectionRoundQuerySet(models.QuerySet["ElectionRound"]):
    def running(self) -> ElectionRoundQuerySet:
        """Those of which letters are still to be promised, the oldest first."""
        return self.filter(done_at__isnull=True).order_by("pk")


class ElectionRound(models.Model):
    """Letters of one kind to everybody whom it concerns, promised batch by batch.

    `reached` is the key of the row (an entry of a roll, a candidacy, an account) up to which they
    are promised. It moves in the transaction
    that promises them: who dies between two batches leaves nothing out and writes none twice.
    Who may nominate follows from the whole register, and is asked with the first batch: `people`.
    """

    class Kind(models.TextChoices):
        NOMINATIONS = "nominations", _("nominations are open")
        SECONDS = "seconds", _("seconds are missing")
        ROLL_SHOWN = "roll_shown", _("you are on the roll")
        OPENED = "opened", _("voting is open")
        REMINDER = "reminder", _("reminder")
        LAST_CALL = "last_call", _("last reminder")
        CLOSING = "closing", _("closes soon")
        RESULT = "result", _("result")
        CANCELLED = "cancelled", _("cancelled")

    election = models.ForeignKey(Election, on_delete=models.PROTECT, related_name="rounds")
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    reached = models.BigIntegerField(_("promised up to"), default=0)
    people = models.JSONField(_("accounts"), null=True)  # their keys; null where rows tell
    begun_at = models.DateTimeField(_("begun"))
    done_at = models.DateTimeField(_("done"), null=True)

    objects = ElectionRoundQuerySet.as_manager()

    class Meta:
        verbose_name = _("round of letters of an election")
        verbose_name_plural = _("rounds of letters of elections")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["election", "kind"], name="election_round_once"),
        ]

    def __str__(self) -> str:
        return f"{self.election}: {self.get_kind_display()}"
