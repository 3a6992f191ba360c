"""What became of requests and reports, day by day."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Outcome(models.TextChoices):
    """What became of a request or a report; the page of the reports sums them up."""

    COUNTED = "counted", _("Counted")
    REPEATED = "repeated", _("The same again")
    TEST = "test", _("Test runs")
    MAXSCALE = "maxscale", _("Not a database server")
    NO_IDENTITY = "no_identity", _("Without an identity")
    UNREADABLE = "unreadable", _("Set aside, unreadable")
    TOO_LARGE = "too_large", _("Refused, too large")
    MALFORMED = "malformed", _("Refused, not a report")
    TOO_OFTEN = "too_often", _("Refused, sent too often")
    NETWORK = "network", _("Refused, too many from one network")
    STRANGER = "stranger", _("Refused, too many new servers in one network")
    BURIED = "buried", _("Of a deleted server, came late")
    WITHDRAWN = "withdrawn", _("Deleted by its sender")


class Intake(models.Model):
    """How many reports of a day came to which end. Kept for good; it names nobody."""

    day = models.DateField(_("day"))
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome)
    reports = models.PositiveBigIntegerField(_("reports"), default=0)

    class Meta:
        verbose_name = _("intake of a day")
        verbose_name_plural = _("intake of days")
        constraints = [
            models.UniqueConstraint(fields=["day", "outcome"], name="intake_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.outcome}: {self.reports}"
