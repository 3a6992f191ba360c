from __future__ import annotations

import datetime as dt
import uuid
from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from releases.distributions import DISTRIBUTIONS
from releases.models.file import File
from releases.models.release import Release

FORGOTTEN_AFTER: Final = dt.timedelta(days=7)


class UploadQuerySet(models.QuerySet["Upload"]):
    def waiting(self, at: dt.datetime) -> UploadQuerySet:
        """Whole uploads that nobody has looked at yet."""
        return self.filter(state=Upload.State.RECEIVED, finished_at__lte=at)

    def live(self) -> UploadQuerySet:
        """Uploads whose name is taken: neither refused nor taken back."""
        return self.filter(state__in=Upload.LIVE)

    def begun(self) -> UploadQuerySet:
        """Uploads that still take bytes."""
        return self.filter(state=Upload.State.OPEN)

    def forgotten(self, at: dt.datetime) -> UploadQuerySet:
        """Uploads that nothing has come for since long; the sweep takes them back."""
        return self.begun().filter(moved_at__lte=at - FORGOTTEN_AFTER)

    def unsettled(self) -> UploadQuerySet:
        return self.filter(state__in=[Upload.State.OPEN, Upload.State.RECEIVED])


class Upload(models.Model):
    """A file on its way in. `offset` is what is durably on disk, and the only truth about it."""

    class State(models.TextChoices):
        OPEN = "open", _("on its way")
        RECEIVED = "received", _("being checked")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("taken back")

    LIVE = (State.OPEN, State.RECEIVED, State.ACCEPTED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="uploads")
    name = models.CharField(_("name"), max_length=200)
    size = models.BigIntegerField(_("size"))
    sha256 = models.CharField(_("announced SHA-256"), max_length=64)
    os = models.CharField(_("system"), max_length=20, blank=True, choices=File.System)
    cpu = models.CharField(_("processor"), max_length=20, blank=True)
    distributions = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    offset = models.BigIntegerField(_("received"), default=0)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("announced"), auto_now_add=True)
    moved_at = models.DateTimeField(_("last bytes"), default=timezone.now)
    finished_at = models.DateTimeField(_("received whole"), null=True, blank=True)
    file = models.OneToOneField(
        File, null=True, blank=True, on_delete=models.PROTECT, related_name="upload"
    )

    objects = UploadQuerySet.as_manager()

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(offset__gte=0) & Q(offset__lte=F("size")),
                name="upload_offset_within_its_size",
            ),
            models.CheckConstraint(condition=Q(size__gt=0), name="upload_is_not_empty"),
            models.UniqueConstraint(
                fields=["release", "name"],
                condition=Q(state__in=["open", "received", "accepted"]),
                name="upload_once_per_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def systems(self) -> str:
        """The distributions as people call them."""
        known = (DISTRIBUTIONS.get(slug) for slug in self.distributions)
        return ", ".join(found.name for found in known if found is not None)

    @property
    def forgotten_at(self) -> dt.datetime:
        """When it is taken back if no more bytes come."""
        return self.moved_at + FORGOTTEN_AFTER
