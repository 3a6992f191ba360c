from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Func, Q, Value
from django.utils.translation import gettext_lazy as _

from governance.models.attendance import Attendance


class Outing(models.Model):
    """Somebody left a meeting and came back: outside from one moment until the other."""

    attendance = models.ForeignKey(Attendance, on_delete=models.CASCADE, related_name="outings")
    left_at = models.DateTimeField(_("left"))
    back_at = models.DateTimeField(_("was back"))

    class Meta:
        verbose_name = _("outing")
        verbose_name_plural = _("outings")
        ordering = ["attendance", "left_at"]
        constraints = [
            models.CheckConstraint(
                name="outing_back_after_leaving",
                condition=Q(back_at__gt=F("left_at")),
                violation_error_message=_("Somebody is back after they left."),
            ),
            ExclusionConstraint(
                name="outing_one_at_a_time",
                expressions=[
                    (
                        Func(
                            F("attendance_id"),
                            F("attendance_id"),
                            Value("[]"),
                            function="int8range",
                        ),
                        RangeOperators.OVERLAPS,
                    ),
                    (
                        Func(F("left_at"), F("back_at"), function="tstzrange"),
                        RangeOperators.OVERLAPS,
                    ),
                ],
                violation_error_message=_("Somebody is outside once at a time."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attendance.name}: {self.left_at:%H:%M}–{self.back_at:%H:%M}"
