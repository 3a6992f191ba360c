from __future__ import annotations

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.news.models.announcement import Announcement, Kind

# What of an announcement is text, and so kept with every version.
TEXT_FIELDS: Final = ("kind", "slug", "title", "summary", "body", "byline")


class Version(models.Model):
    """An announcement as it was saved once: by whom and when. Rows are only added."""

    announcement = models.ForeignKey(
        Announcement,
        on_delete=models.CASCADE,
        related_name="versions",
        verbose_name=_("announcement"),
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    slug = models.SlugField(_("address"), max_length=80)
    title = models.CharField(_("title"), max_length=160)
    summary = models.CharField(_("summary"), max_length=300)
    body = models.TextField(_("text"))
    byline = models.CharField(_("signed by"), max_length=120, blank=True)
    note = models.CharField(_("note"), max_length=120, blank=True)
    saved_at = models.DateTimeField(_("saved"), default=timezone.now, editable=False)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("saved by"),
    )

    objects: ClassVar[models.Manager[Version]] = models.Manager()

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        ordering = ["announcement", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["announcement", "number"], name="news_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.number})"
