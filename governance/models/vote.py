from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.roster import RosterSeat
from governance.tally import rollcall


class VoteQuerySet(models.QuerySet["Vote"]):
    def standing(self) -> VoteQuerySet:
        """Of each seat the last vote: the one that counts."""
        return self.order_by("voter_id", "-id").distinct("voter_id")


class Vote(models.Model):
    """One act of voting. A change of mind is a new row; the database refuses to edit an old one."""

    class Choice(models.TextChoices):
        YES = rollcall.Choice.YES.value, _("Yes")
        NO = rollcall.Choice.NO.value, _("No")
        ABSTAIN = rollcall.Choice.ABSTAIN.value, _("Abstain")
        RECUSE = rollcall.Choice.RECUSE.value, _("Recuse")

    voter = models.ForeignKey(RosterSeat, on_delete=models.PROTECT, related_name="votes")
    choice = models.CharField(_("choice"), max_length=10, choices=Choice)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    cast_at = models.DateTimeField(_("cast"))
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("recorded by"),
        help_text=_("Who wrote down a vote that was given in a meeting."),
    )

    objects = VoteQuerySet.as_manager()

    class Meta:
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.voter}: {self.get_choice_display()}"
