from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from releases.models.repository import Repository, RepositoryQuerySet


class ReadingQuerySet(models.QuerySet["Reading"]):
    def sound(self) -> ReadingQuerySet:
        return self.filter(reason="")

    def unsound(self) -> ReadingQuerySet:
        return self.exclude(reason="")

    def last_of_each(self) -> ReadingQuerySet:
        """The newest of each repository."""
        newest = Reading.objects.filter(repository=models.OuterRef("repository")).newest_first()
        return self.filter(pk=models.Subquery(newest.values("pk")[:1]))

    def with_names(self) -> ReadingQuerySet:
        return self.select_related("repository__series__product", "repository__release")

    def newest_first(self) -> ReadingQuerySet:
        return self.order_by("-read_at", "-pk")

    def streak(self) -> ReadingQuerySet:
        """Of one repository: what went wrong since it was sound last, oldest first."""
        last = self.sound().newest_first().first()
        since = {} if last is None else {"read_at__gt": last.read_at}
        return self.unsound().filter(**since).order_by("read_at", "pk")


def failing(found: RepositoryQuerySet) -> RepositoryQuerySet:
    """Those of the repositories that were not sound when they were last read."""
    last = Reading.objects.last_of_each().unsound()
    return found.filter(pk__in=last.values("repository"))


class Reading(models.Model):
    """The portal read one of its repositories back as a client does: sound, or what is wrong."""

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="readings")
    serial = models.PositiveIntegerField(_("publication"))
    read_at = models.DateTimeField(_("read"))
    reason = models.CharField(_("what is wrong"), max_length=500, blank=True)
    package = models.CharField(_("package that was fetched"), max_length=300, blank=True)
    came_from = models.CharField(_("sent by"), max_length=253, blank=True)
    program = models.CharField(_("package manager that read it too"), max_length=20, blank=True)

    objects = ReadingQuerySet.as_manager()

    class Meta:
        verbose_name = _("reading")
        verbose_name_plural = _("readings")
        indexes = [models.Index(fields=["repository", "-read_at"], name="reading_newest")]

    def __str__(self) -> str:
        return f"{self.repository} #{self.serial}: {self.reason or 'sound'}"

    @property
    def is_sound(self) -> bool:
        return not self.reason
