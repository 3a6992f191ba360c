from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from releases.models.release import Release
from releases.repository.apt import Digests


class Blob(models.Model):
    """Some bytes, kept once under their SHA-256 whatever they are called.

    Those of an index alone lack the digests that nobody asks of them.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    sha1 = models.CharField(max_length=40, blank=True)
    md5 = models.CharField(max_length=32, blank=True)
    sha512 = models.CharField(max_length=128, blank=True)
    size = models.BigIntegerField(_("size"))
    kept_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager[Blob]] = models.Manager()

    class Meta:
        verbose_name = _("content")
        verbose_name_plural = _("contents")

    def __str__(self) -> str:
        return self.sha256

    @property
    def digests(self) -> Digests:
        return Digests(self.size, self.md5, self.sha1, self.sha256, self.sha512)


class FileQuerySet(models.QuerySet["File"]):
    def downloadable(self) -> FileQuerySet:
        """Files that may leave the house: an rpm only after it is signed."""
        return self.filter(
            Q(package__isnull=True) | Q(package__format="deb") | Q(package__signed_at__isnull=False)
        )

    def unsigned(self, at: dt.datetime) -> FileQuerySet:
        """Files of published releases that have no detached signature yet."""
        return self.downloadable().filter(signature="", release__published_at__lte=at)


class File(models.Model):
    """A named file of a release, or a package that the portal makes itself (`release` is empty).

    Its name never gets other bytes.
    """

    class System(models.TextChoices):
        SOURCE = "Source", _("Source")
        LINUX = "Linux", "Linux"
        WINDOWS = "Windows", "Windows"
        MACOS = "macOS", "macOS"
        ANY = "", _("Any")

    release = models.ForeignKey(Release, null=True, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(_("name"), max_length=200)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="files")
    announced_sha256 = models.CharField(_("SHA-256 as uploaded"), max_length=64)
    os = models.CharField(_("system"), max_length=20, choices=System, blank=True)
    cpu = models.CharField(_("processor"), max_length=20, blank=True)
    distributions = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, verbose_name=_("distributions")
    )
    signature = models.TextField(_("detached signature"), blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField(_("uploaded"), auto_now_add=True)

    objects = FileQuerySet.as_manager()

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")
        ordering = ["release", "name"]
        constraints = [
            models.UniqueConstraint(fields=["release", "name"], name="file_name_once_per_release"),
            models.CheckConstraint(condition=~Q(name__contains="/"), name="file_name_is_a_name"),
            models.CheckConstraint(
                condition=Q(release__isnull=True, uploaded_by__isnull=True)
                | Q(release__isnull=False, uploaded_by__isnull=False),
                name="file_of_a_release_has_an_uploader",
            ),
        ]

    def __str__(self) -> str:
        return self.name
