from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.contest import Contest
from governance.models.election import Election


class Ruling(models.Model):
    """What is asked of the officers of an election, and their answer; both are public."""

    class Answer(models.TextChoices):
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")

    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made"))
    text = models.TextField(_("reason"), max_length=2000)
    answer = models.CharField(_("ruling"), max_length=8, choices=Answer, blank=True)
    answer_reason = models.TextField(_("reason of the ruling"), max_length=2000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("ruled by"),
    )
    answered_at = models.DateTimeField(_("ruled"), null=True)

    class Meta:
        abstract = True
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="%(class)s_ruled_whole",
                condition=Q(answer="", answered_by__isnull=True, answered_at__isnull=True)
                | (
                    ~Q(answer="")
                    & ~Q(answer_reason="")
                    & Q(answered_by__isnull=False, answered_at__isnull=False)
                ),
            )
        ]


class Objection(Ruling):
    """Somebody is missing on a roll, or stands there wrongly."""

    class Kind(models.TextChoices):
        ADD = "add", _("is missing")
        REMOVE = "remove", _("should not be on it")

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="objections")
    kind = models.CharField(_("what is wrong"), max_length=6, choices=Kind)
    key = models.CharField(_("whose vote"), max_length=120)
    name = models.CharField(_("name"), max_length=200)

    class Meta(Ruling.Meta):
        verbose_name = _("objection to a roll")
        verbose_name_plural = _("objections to rolls")
        constraints = [
            *Ruling.Meta.constraints,
            models.UniqueConstraint(
                fields=["contest", "kind", "key"],
                condition=Q(answer=""),
                name="objection_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.get_kind_display()}"


class Complaint(Ruling):
    """Something went wrong with an election, and somebody says so in time."""

    election = models.ForeignKey(Election, on_delete=models.PROTECT, related_name="complaints")

    class Meta(Ruling.Meta):
        verbose_name = _("complaint")
        verbose_name_plural = _("complaints")

    def __str__(self) -> str:
        return self.text[:60]
