from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.meeting import Meeting
from governance.models.motion import Motion


class AgendaItem(models.Model):
    """One point of a meeting: what it is about, and afterwards what is on record of it."""

    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="agenda")
    position = models.PositiveSmallIntegerField(_("position"))
    title = models.CharField(_("title"), max_length=160)
    about = models.CharField(
        _("what it is about"), max_length=300, blank=True, help_text=_("Shown with the agenda.")
    )
    motion = models.ForeignKey(
        Motion,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="agenda_items",
        verbose_name=_("motion"),
    )
    presenter = models.CharField(_("presented by"), max_length=150, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes planned"), null=True, blank=True)
    is_closed = models.BooleanField(
        _("closed session"),
        default=False,
        help_text=_("Everybody reads the title; the record is for the body alone."),
    )
    record = models.TextField(_("record"), blank=True)
    # So that nobody guesses what was said from the hash that is published of a closed session.
    salt = models.CharField(max_length=32, blank=True, editable=False)

    class Meta:
        verbose_name = _("agenda item")
        verbose_name_plural = _("agenda")
        ordering = ["meeting", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["meeting", "position"],
                name="agenda_position_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.UniqueConstraint(
                fields=["meeting", "motion"],
                name="agenda_motion_once",
                condition=Q(motion__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.title}"
