from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from governance.meetings.document import CAME, Kind
from governance.meetings.presence import Span, Stay, is_there, stays
from governance.models.meeting import Meeting


class Attendance(models.Model):
    """Somebody and a meeting: there or not, as what, from when to when."""

    class Kind(models.TextChoices):
        PRESENT = Kind.PRESENT.value, _("present")
        ABSENT = Kind.ABSENT.value, _("absent")
        EXCUSED = Kind.EXCUSED.value, _("excused")
        OBSERVER = Kind.OBSERVER.value, _("observer")
        SECRETARY = Kind.SECRETARY.value, _("secretary")

    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="attendance")
    position = models.PositiveSmallIntegerField(_("position"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )
    name = models.CharField(_("name"), max_length=150)
    seat = models.CharField(_("seat or office"), max_length=80, blank=True)
    votes = models.BooleanField(_("holds a voting seat"), default=False)
    kind = models.CharField(_("attendance"), max_length=10, choices=Kind, default=Kind.ABSENT)
    arrived_at = models.DateTimeField(_("arrived"), null=True, blank=True)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)

    class Meta:
        verbose_name = _("attendance")
        verbose_name_plural = _("attendance")
        ordering = ["meeting", "position"]
        constraints = [
            models.UniqueConstraint(fields=["meeting", "user"], name="attendance_person_once"),
            models.CheckConstraint(
                name="attendance_left_after_arrival",
                condition=Q(left_at__isnull=True)
                | Q(arrived_at__isnull=True)
                | Q(left_at__gt=F("arrived_at")),
                violation_error_message=_("Somebody leaves after they arrived."),
            ),
            models.CheckConstraint(
                name="attendance_times_of_those_who_came",
                condition=~Q(kind__in=["absent", "excused"])
                | Q(arrived_at__isnull=True, left_at__isnull=True),
                violation_error_message=_("Who was not there has no times."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.get_kind_display()}"

    @property
    def spans(self) -> list[Span]:
        """When they were outside meanwhile."""
        return [(outing.left_at, outing.back_at) for outing in self.outings.all()]

    def stays(self) -> list[Stay]:
        """From when to when they were in the room, once for each time that they came."""
        return stays(self.arrived_at, self.left_at, self.spans) if self.kind in CAME else []

    def was_there(self, at: datetime) -> bool:
        return any(is_there(stay, at) for stay in self.stays())
