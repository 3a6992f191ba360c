from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib import words

# Addresses of pages that stand beside the announcements.
RESERVED_SLUGS: Final = ("feeds", "reports")
WORDS: Final = words.of("title", "summary", "body")


class Kind(models.TextChoices):
    NEWS = "news", _("News")
    RELEASE = "release", _("Release")
    SUPPORTER = "supporter", _("Supporter")
    REPORT = "report", _("Quarterly report")


class State(models.TextChoices):
    DRAFT = "draft", _("Draft")
    SCHEDULED = "scheduled", _("Scheduled")
    PUBLISHED = "published", _("Published")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DROPPED = "dropped", _("Thrown away")


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def published(self, at: dt.datetime) -> AnnouncementQuerySet:
        """What everyone may read at `at`, newest first."""
        out = self.filter(published_at__lte=at, withdrawn_at__isnull=True)
        return out.order_by("-published_at", "-pk")

    def once_public(self, at: dt.datetime) -> AnnouncementQuerySet:
        """What has an address that was given out: published, or withdrawn since."""
        return self.filter(published_at__lte=at)

    def in_state(self, state: str, at: dt.datetime) -> AnnouncementQuerySet:
        """The question behind `Announcement.state`."""
        return self.filter(**_STATES[State(state)](at))

    def matching(self, words: str) -> AnnouncementQuerySet:
        """Those that hold every word, in the title, the summary or the text."""
        found = self
        for word in words.split()[:8]:
            held = Q(title__icontains=word) | Q(summary__icontains=word)
            found = found.filter(held | Q(body__icontains=word))
        return found

    def before(self, other: Announcement) -> AnnouncementQuerySet:
        """Older than another, the next one first."""
        older = Q(published_at=other.published_at, pk__lt=other.pk)
        return self.filter(Q(published_at__lt=other.published_at) | older)

    def after(self, other: Announcement) -> AnnouncementQuerySet:
        """Newer than another, the next one first."""
        newer = Q(published_at=other.published_at, pk__gt=other.pk)
        found = self.filter(Q(published_at__gt=other.published_at) | newer)
        return found.order_by("published_at", "pk")

    def newest_change_first(self) -> AnnouncementQuerySet:
        return self.order_by("-changed_at", "-pk")


def _draft(at: dt.datetime) -> dict[str, object]:
    return {"published_at__isnull": True, "dropped_at__isnull": True}


_STATES: dict[State, Callable[[dt.datetime], dict[str, object]]] = {
    State.DRAFT: _draft,
    State.SCHEDULED: lambda at: {"published_at__gt": at},
    State.PUBLISHED: lambda at: {"published_at__lte": at, "withdrawn_at__isnull": True},
    State.WITHDRAWN: lambda at: {"withdrawn_at__isnull": False},
    State.DROPPED: lambda at: {"dropped_at__isnull": False},
}


class Announcement(models.Model):
    """A dated text. Without a date it is a draft; with one in the future it waits for it.

    Nobody has to do anything at that moment: every question asks with the time. The address is
    kept for ever once it was public.
    """

    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.NEWS)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=160)
    summary = models.CharField(
        _("summary"), max_length=300, help_text=_("One or two sentences, shown in lists and feeds.")
    )
    body = models.TextField(_("text"), help_text=_("Markdown."))
    byline = models.CharField(_("signed by"), max_length=120, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("begun by"),
    )
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)
    created_at = models.DateTimeField(_("begun"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("changed"), default=timezone.now, editable=False)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("published by"),
    )
    told_at = models.DateTimeField(_("told who scheduled it"), null=True, editable=False)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdraw_reason = models.CharField(_("why it was withdrawn"), max_length=500, blank=True)
    dropped_at = models.DateTimeField(_("thrown away"), null=True, blank=True)

    objects: ClassVar[AnnouncementQuerySet] = AnnouncementQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="announcement_says_something",
                condition=~Q(title="") & ~Q(summary="") & ~Q(body=""),
                violation_error_message=_("Write a title, a summary and a text."),
            ),
            models.CheckConstraint(
                name="announcement_slug_is_no_page",
                condition=~Q(slug__in=RESERVED_SLUGS),
                violation_error_message=_("Another page stands at this address. Choose another."),
            ),
            models.CheckConstraint(
                name="announcement_withdrawn_after_it_was_published_with_a_reason",
                condition=Q(withdrawn_at__isnull=True, withdraw_reason="")
                | (
                    Q(published_at__isnull=False, withdrawn_at__gte=F("published_at"))
                    & ~Q(withdraw_reason="")
                ),
            ),
            models.CheckConstraint(
                name="announcement_thrown_away_as_a_draft",
                condition=Q(dropped_at__isnull=True) | Q(published_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["-published_at"], name="announcement_newest"),
            GinIndex(WORDS, name="announcement_words"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("news:detail", args=[self.slug])

    @property
    def desk_url(self) -> str:
        return reverse("news:edit", args=[self.pk])

    def state(self, at: dt.datetime) -> State:
        """What it is at that moment."""
        if self.dropped_at is not None:
            return State.DROPPED
        if self.published_at is None:
            return State.DRAFT
        if self.published_at > at:
            return State.SCHEDULED
        return State.PUBLISHED if self.withdrawn_at is None else State.WITHDRAWN

    @property
    def updated_at(self) -> dt.datetime:
        """Since when readers see it as it is: published, changed, or brought back."""
        return max(self.changed_at, self.published_at or self.changed_at)

    @property
    def was_changed(self) -> bool:
        """Whether its text is another than the one that was published."""
        return self.published_at is not None and self.changed_at > self.published_at
