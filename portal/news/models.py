"""Announcements of the foundation: written by staff, read by everyone once published."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def published(self, at: dt.datetime) -> AnnouncementQuerySet:
        """What everyone may read at ``at``, newest first."""
        return self.filter(published_at__lte=at).order_by("-published_at", "-pk")


class Announcement(models.Model):
    """A dated text. Without a date it is a draft; with one in the future it waits for it."""

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=160)
    summary = models.CharField(
        _("summary"), max_length=300, help_text=_("One or two sentences, shown in lists and feeds.")
    )
    body = models.TextField(_("text"), help_text=_("Markdown."))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("author"),
    )
    published_at = models.DateTimeField(
        _("published"),
        null=True,
        blank=True,
        help_text=_("Empty keeps it a draft; a date in the future publishes it then."),
    )
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    objects: ClassVar[models.Manager[Announcement]] = AnnouncementQuerySet.as_manager()

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="announcement_says_something",
                condition=~Q(title="") & ~Q(summary="") & ~Q(body=""),
                violation_error_message=_("Write a title, a summary and a text."),
            )
        ]
        indexes = [models.Index(fields=["-published_at"], name="announcement_newest")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("news:detail", args=[self.slug])
