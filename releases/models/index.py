from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from releases.models.file import Blob
from releases.models.repository import Repository
from releases.repository import buckets


class Index(models.Model):
    """An index of a repository: Packages of a component and an architecture (APT), or a kind of
    metadata (YUM). It is kept in buckets, whose number only a re-bucket changes. Once there it
    stays, even when it is empty: clients ask for it.
    """

    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="indices")
    component = models.CharField(_("component"), max_length=20, blank=True)
    name = models.CharField(_("architecture or kind"), max_length=30)
    buckets = models.PositiveIntegerField(_("buckets"), default=buckets.FEWEST)

    objects: ClassVar[models.Manager[Index]] = models.Manager()

    class Meta:
        verbose_name = _("index")
        verbose_name_plural = _("indices")
        ordering = ["repository", "component", "name"]
        constraints = [
            models.UniqueConstraint(fields=["repository", "component", "name"], name="index_once"),
            models.CheckConstraint(
                condition=Q(buckets__gte=1, buckets__lte=buckets.MOST), name="index_has_buckets"
            ),
        ]

    def __str__(self) -> str:
        return "/".join(part for part in [str(self.repository), self.component, self.name] if part)

    @property
    def shows(self) -> tuple[str, str]:
        """Component and architecture of its packages; every kind of YUM shows all there are."""
        return (self.component, self.name) if self.component else ("", "")


class IndexBuildQuerySet(models.QuerySet["IndexBuild"]):
    def shown_by(self, serial: int) -> IndexBuildQuerySet:
        """The build of each index that a publication of this serial shows."""
        return self.filter(serial__lte=serial).order_by("index_id", "-serial").distinct("index_id")

    def shown_now(self, repository: Repository) -> IndexBuildQuerySet:
        """The builds that clients of the repository read."""
        serial = repository.current.serial if repository.current else 0
        return self.filter(index__repository=repository).shown_by(serial)

    def superseded(self, serial: int) -> IndexBuildQuerySet:
        """Builds that no publication from this serial on shows."""
        newer = IndexBuild.objects.filter(
            index=models.OuterRef("index"), serial__gt=models.OuterRef("serial"), serial__lte=serial
        )
        return self.filter(models.Exists(newer))


class IndexBuild(models.Model):
    """What an index holds from one serial of its repository on, and where its buckets lie.

    Both files are a head, the buckets, and a tail, one after the other; the sizes say where each
    begins. The next build copies the clean buckets and takes their text from the zstd frames. A
    build belongs to the publication with its serial and is taken back when that one fails.
    """

    index = models.ForeignKey(Index, on_delete=models.PROTECT, related_name="builds")
    serial = models.PositiveIntegerField(_("since serial"))
    counts = ArrayField(models.IntegerField(), verbose_name=_("packages by bucket"))
    written = ArrayField(models.IntegerField(), verbose_name=_("buckets written anew"))
    gz_sizes = ArrayField(models.IntegerField())
    zst_sizes = ArrayField(models.IntegerField())
    gz = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="+")
    zst = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="+")
    text_size = models.BigIntegerField(_("size of the text"))
    text_sha256 = models.CharField(max_length=64)

    objects = IndexBuildQuerySet.as_manager()

    class Meta:
        verbose_name = _("build of an index")
        verbose_name_plural = _("builds of indices")
        ordering = ["index", "-serial"]
        constraints = [
            models.UniqueConstraint(fields=["index", "serial"], name="index_build_once"),
        ]

    def __str__(self) -> str:
        return f"{self.index} #{self.serial}"

    @property
    def packages(self) -> int:
        return sum(self.counts)
