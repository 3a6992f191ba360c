from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases import maturity, version
from releases.maturity import Maturity
from releases.models.series import Series


class ReleaseQuerySet(models.QuerySet["Release"]):
    def published(self, at: dt.datetime) -> ReleaseQuerySet:
        """What everyone may know of at `at`. A draft is on no other list."""
        return self.filter(published_at__lte=at)

    def drafts(self, at: dt.datetime) -> ReleaseQuerySet:
        return self.exclude(published_at__lte=at)

    def stable(self) -> ReleaseQuerySet:
        return self.filter(maturity__in=[Maturity.STABLE, Maturity.OLD_STABLE])

    def supported(self, at: dt.datetime) -> ReleaseQuerySet:
        """Published releases of series that have not reached their end."""
        return self.published(at).exclude(series__eol_on__lte=at.date())

    def latest_at(self, at: dt.datetime) -> ReleaseQuerySet:
        """The newest published release of each series, by number."""
        return self.published(at).order_by("series_id", "-ordering").distinct("series_id")

    def newest_first(self) -> ReleaseQuerySet:
        return self.order_by("-ordering")

    def with_names(self) -> ReleaseQuerySet:
        return self.select_related("series__product")


class Release(models.Model):
    """One version of a product. Without `published_at`, or before it, nobody outside sees it."""

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="releases")
    version = models.CharField(_("version"), max_length=60)
    ordering = ArrayField(models.IntegerField(), size=6, editable=False)
    maturity = models.CharField(_("maturity"), max_length=12, choices=Maturity)
    summary = models.CharField(_("summary"), max_length=300, blank=True)
    notes = models.TextField(_("what is new"), blank=True, help_text=_("Markdown."))
    changelog = models.TextField(_("changelog"), blank=True, help_text=_("Markdown."))
    commit = models.CharField(_("built from commit"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        ordering = ["series", "-ordering"]
        constraints = [
            models.UniqueConstraint(fields=["series", "version"], name="release_once_per_series"),
            models.CheckConstraint(
                condition=~Q(version__contains="/"), name="release_version_is_a_name"
            ),
        ]
        indexes = [models.Index(fields=["-published_at"], name="release_newest")]

    def __str__(self) -> str:
        return f"{self.series.product.name} {self.version}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.ordering = version.parse(self.version).fields
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("releases:release", args=[self.series.product.slug, self.version])

    @property
    def notches(self) -> int:
        return maturity.notches(self.series.product.scale, self.maturity)

    @property
    def is_stable(self) -> bool:
        return self.notches == maturity.STABLE_NOTCH

    @property
    def warning(self) -> str | Promise:
        return maturity.WARNINGS.get(Maturity(self.maturity), "")

    def is_published(self, at: dt.datetime) -> bool:
        return self.published_at is not None and self.published_at <= at
