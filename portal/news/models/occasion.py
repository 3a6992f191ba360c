from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.news.models.announcement import Announcement


class OccasionQuerySet(models.QuerySet["Occasion"]):
    def unknown(self, keys: Collection[str]) -> list[str]:
        """Those of the keys that made no draft yet, in their order."""
        known = set(self.filter(key__in=list(keys)).values_list("key", flat=True))
        return [key for key in keys if key not in known]

    def waiting(self, at: dt.datetime) -> OccasionQuerySet:
        """Those whose draft may still be published."""
        open_ones = Q(announcement__published_at__isnull=True)
        open_ones |= Q(announcement__published_at__gt=at)
        return self.filter(open_ones, announcement__dropped_at__isnull=True)

    def untold(self) -> OccasionQuerySet:
        """Drafts that the editors have not heard of and that still wait for them."""
        waiting = Q(announcement__published_at__isnull=True, announcement__dropped_at__isnull=True)
        return self.filter(waiting, told_at__isnull=True).order_by("noted_at", "pk")


class Occasion(models.Model):
    """Something that happened elsewhere and made a draft, once: the key names it for ever."""

    key = models.CharField(_("what happened"), max_length=200, unique=True)
    announcement = models.OneToOneField(
        Announcement,
        on_delete=models.CASCADE,
        related_name="occasion",
        verbose_name=_("announcement"),
    )
    noted_at = models.DateTimeField(_("noted"), default=timezone.now, editable=False)
    told_at = models.DateTimeField(_("editors told"), null=True, editable=False)
    doubt = models.CharField(_("why not to publish it"), max_length=300, blank=True)

    objects: ClassVar[OccasionQuerySet] = OccasionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("occasion")
        verbose_name_plural = _("occasions")
        ordering = ["-noted_at", "-pk"]

    def __str__(self) -> str:
        return self.key
