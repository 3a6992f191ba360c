from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from governance.models.motion import Motion
from governance.models.rule_set import RuleSet
from governance.models.seat import Seat


class ConsensusQuerySet(models.QuerySet["Consensus"]):
    def running(self) -> ConsensusQuerySet:
        """What is being sought, the next end first."""
        return self.filter(state=Consensus.State.SOUGHT).order_by("ends_at", "pk")


class Consensus(models.Model):
    """A stage of a motion in which its body seeks consensus, before anything is put to the vote.

    It is about one text; another text is another round. When the timer ends and nobody objects, the
    motion is carried. Objections get `resolution_days` more; what is not resolved then is voted on.
    """

    class State(models.TextChoices):
        SOUGHT = "sought", _("Being sought")
        REACHED = "reached", _("Reached")
        VOTE = "vote", _("Put to the vote")
        ENDED = "ended", _("Ended without a result")

    motion = models.ForeignKey(Motion, on_delete=models.PROTECT, related_name="consensuses")
    round = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.SOUGHT)
    rule_set = models.ForeignKey(
        RuleSet,
        on_delete=models.PROTECT,
        null=True,
        related_name="consensuses",
        verbose_name=_("decided by"),
    )
    text_sha256 = models.CharField(max_length=64)
    needed = models.PositiveIntegerField(_("must take part at least"))
    called_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    called_at = models.DateTimeField(_("called"))
    ends_at = models.DateTimeField(_("ends"))
    resolution_days = models.PositiveSmallIntegerField(_("days to resolve objections"), default=3)
    vote_days = models.PositiveSmallIntegerField(_("days of the vote after that"), default=7)
    resolving_until = models.DateTimeField(_("objections are resolved until"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    ended_because = models.CharField(_("ended because"), max_length=200, blank=True)

    objects = ConsensusQuerySet.as_manager()

    class Meta:
        verbose_name = _("consensus")
        verbose_name_plural = _("consensuses")
        ordering = ["motion", "round"]
        constraints = [
            models.UniqueConstraint(fields=["motion", "round"], name="consensus_round_once"),
            models.UniqueConstraint(
                fields=["motion"], condition=Q(state="sought"), name="consensus_sought_once"
            ),
            models.CheckConstraint(
                name="consensus_ends_after_it_begins", condition=Q(ends_at__gt=F("called_at"))
            ),
            models.CheckConstraint(
                name="consensus_ended_has_a_date",
                condition=Q(state="sought", ended_at__isnull=True)
                | (~Q(state="sought") & Q(ended_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.motion}, {self.round}"

    @property
    def until(self) -> datetime:
        """When it is looked at next: the end of the timer, or of the days for objections."""
        return self.resolving_until or self.ends_at


class Participant(models.Model):
    """Who was asked, as they were when it was called. Advisers are shown and never counted."""

    consensus = models.ForeignKey(Consensus, on_delete=models.PROTECT, related_name="participants")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(_("seat"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(_("name"), max_length=150)
    affiliation = models.CharField(_("affiliation"), max_length=120, blank=True)
    office = models.CharField(_("office"), max_length=80, blank=True)
    is_counted = models.BooleanField(_("is counted"))

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        ordering = ["-is_counted", "number"]
        constraints = [
            models.UniqueConstraint(fields=["consensus", "user"], name="participant_once"),
        ]

    def __str__(self) -> str:
        return self.name


class PositionQuerySet(models.QuerySet["Position"]):
    def standing(self) -> PositionQuerySet:
        """Of each participant the last word."""
        return self.order_by("participant_id", "-pk").distinct("participant_id")


class Position(models.Model):
    """What somebody said; another word of theirs is another row, and no row is changed."""

    class Stance(models.TextChoices):
        SUPPORT = "support", _("Support")
        ACCEPT = "accept", _("Accept")
        STAND_ASIDE = "stand_aside", _("Stand aside")
        OBJECT = "object", _("Object")

    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="positions")
    stance = models.CharField(_("position"), max_length=12, choices=Stance)
    reason = models.CharField(_("reason"), max_length=1000, blank=True)
    said_at = models.DateTimeField(_("said"))

    objects = PositionQuerySet.as_manager()

    class Meta:
        verbose_name = _("position")
        verbose_name_plural = _("positions")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="position_against_has_a_reason",
                condition=Q(stance__in=["support", "accept"]) | ~Q(reason=""),
            )
        ]

    def __str__(self) -> str:
        return f"{self.participant}: {self.get_stance_display()}"
