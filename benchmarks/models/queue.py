from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Self, TypeVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MOST_ATTEMPTS: Final = 3
# longer than a task may run (CELERY_TASK_TIME_LIMIT): nothing is computed twice at once
PAUSE: Final = timedelta(minutes=11)
KEPT: Final = timedelta(days=30)  # asked again later, a question is answered anew

Row = TypeVar("Row", bound="Queued")


class Queued(models.Model):
    """A row that the worker computes once. What fails is tried again later, a few times."""

    computed_at = models.DateTimeField(_("computed"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    try_at = models.DateTimeField(_("not before"), null=True)

    class Meta:
        abstract = True

    @property
    def is_given_up(self) -> bool:
        """Every attempt has failed, or the last one is still on its way."""
        return self.computed_at is None and self.attempts >= MOST_ATTEMPTS


class AskedQuerySet(models.QuerySet[Row]):
    def to_compute(self, at: datetime) -> Self:
        return self.filter(due(at)).order_by("pk")

    def to_forget(self, at: datetime) -> Self:
        """Anybody may ask, so no question is kept for ever."""
        return self.filter(asked_at__lt=at - KEPT)


class Asked(Queued):
    """A question of whoever looks at a page, and its answer once computed."""

    asked_at = models.DateTimeField(_("asked"), default=timezone.now)

    class Meta:
        abstract = True


def due(at: datetime) -> Q:
    """The condition of what is to be computed now."""
    return Q(computed_at__isnull=True, attempts__lt=MOST_ATTEMPTS) & (
        Q(try_at__isnull=True) | Q(try_at__lte=at)
    )


def claim(rows: models.QuerySet[Row], *, at: datetime) -> bool:
    """Count an attempt before it is made, so that one that kills its process is counted too; False
    when nothing is due or somebody else was first.
    """
    return bool(rows.filter(due(at)).update(attempts=F("attempts") + 1, try_at=at + PAUSE))
