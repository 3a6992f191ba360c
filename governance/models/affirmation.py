from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.conf import settings
from django.db import models
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AffirmationQuerySet(models.QuerySet["Affirmation"]):
    def last_days(self, keys: Iterable[str], at: datetime) -> dict[str, date]:
        """For each of these voters the day on which they last said that they want to vote."""
        said = self.filter(voter_key__in=list(keys), affirmed_at__lte=at)
        last = said.values_list("voter_key").annotate(Max("affirmed_at"))
        return {key: timezone.localdate(moment) for key, moment in last}


class Affirmation(models.Model):
    """A member said that they want to vote; rules may keep those who did not from the roll.

    The voter is named as the register of members names it: `organisation:acme`, `contributor:12`.
    """

    voter_key = models.CharField(_("voter"), max_length=120)
    name = models.CharField(_("name"), max_length=200)
    affirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    affirmed_at = models.DateTimeField(_("affirmed"))

    objects = AffirmationQuerySet.as_manager()

    class Meta:
        verbose_name = _("affirmation")
        verbose_name_plural = _("affirmations")
        ordering = ["-affirmed_at", "-pk"]
        indexes = [models.Index(fields=["voter_key", "affirmed_at"], name="affirmation_of_voter")]

    def __str__(self) -> str:
        return self.name
