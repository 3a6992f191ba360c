from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.expressions import Combinable, OrderBy
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from portal.lib import words
from releases import maturity, version
from releases.maturity import Maturity
from releases.models.product import Product
from releases.models.series import Series

WORDS: Final = words.of("version", "summary", "notes", "changelog")
_STABLE: Final = Case(When(maturity__in=[Maturity.STABLE, Maturity.OLD_STABLE], then=1), default=0)


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

    def current(self, at: dt.datetime) -> ReleaseQuerySet:
        """Published and not withdrawn: what is offered to those who ask for no version."""
        return self.published(at).exclude(yanked_at__lte=at)

    def yanked(self, at: dt.datetime) -> ReleaseQuerySet:
        return self.published(at).filter(yanked_at__lte=at)

    def due(self, at: dt.datetime) -> ReleaseQuerySet:
        """Drafts whose moment has come."""
        return self.filter(scheduled_for__lte=at)

    def latest_at(self, at: dt.datetime) -> ReleaseQuerySet:
        """The newest current release of each series: a stable one if there is any, by number."""
        return self.current(at)._first_of_series(_STABLE.desc())

    def shown_at(self, at: dt.datetime) -> ReleaseQuerySet:
        """As `latest_at`, but a series whose releases are all withdrawn shows a withdrawn one."""
        yanked = Case(When(yanked_at__lte=at, then=1), default=0)
        return self.published(at)._first_of_series(yanked, _STABLE.desc())

    def _first_of_series(self, *preference: Combinable | OrderBy) -> ReleaseQuerySet:
        return self.order_by("series_id", *preference, "-ordering").distinct("series_id")

    def to_announce(self, since: dt.datetime, at: dt.datetime) -> ReleaseQuerySet:
        """Published between the two moments and still offered, as their products want it told."""
        every = Q(series__product__announced=Product.Announced.ALL)
        stable = Q(series__product__announced=Product.Announced.STABLE)
        stable &= Q(maturity__in=[Maturity.STABLE, Maturity.OLD_STABLE])
        return self.current(at).filter(every | stable, published_at__gte=since).with_names()

    def newest_first(self) -> ReleaseQuerySet:
        return self.order_by("-ordering")

    def with_names(self) -> ReleaseQuerySet:
        return self.select_related("series__product")


class Release(models.Model):
    """One version of a product. Without `published_at`, or before it, nobody outside sees it.

    A scheduled release is a draft until the sweep publishes it. A yanked (withdrawn) one stays
    published: its address and files answer, but nothing offers it.
    """

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
    scheduled_for = models.DateTimeField(_("to be published"), null=True, blank=True)
    scheduled_at = models.DateTimeField(_("scheduled"), null=True, blank=True)
    scheduled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    scheduled_content = models.JSONField(
        _("what was looked at when it was scheduled"), default=dict, blank=True, editable=False
    )
    schedule_failure = models.TextField(_("why it was not published in time"), blank=True)
    yanked_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    yanked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    yank_reason = models.CharField(_("why it was withdrawn"), max_length=500, blank=True)
    use_instead = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        ordering = ["series", "-ordering"]
        constraints = [
            models.UniqueConstraint(fields=["series", "version"], name="release_once_per_series"),
            models.UniqueConstraint(fields=["series", "ordering"], name="release_once_per_number"),
            models.CheckConstraint(
                condition=~Q(version__contains="/"), name="release_version_is_a_name"
            ),
            models.CheckConstraint(
                condition=Q(scheduled_for__isnull=True)
                | Q(
                    published_at__isnull=True,
                    scheduled_at__isnull=False,
                    scheduled_by__isnull=False,
                ),
                name="release_scheduled_by_someone_while_a_draft",
            ),
            models.CheckConstraint(
                condition=Q(yanked_at__isnull=True, yank_reason="")
                | (
                    Q(published_at__isnull=False, yanked_at__gte=F("published_at"))
                    & ~Q(yank_reason="")
                ),
                name="release_yanked_after_it_was_published_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(use_instead__isnull=True)
                | (Q(yanked_at__isnull=False) & ~Q(use_instead=F("id"))),
                name="release_replaced_by_another_when_yanked",
            ),
        ]
        indexes = [
            models.Index(fields=["-published_at"], name="release_newest"),
            GinIndex(WORDS, name="release_words"),
            models.Index(
                fields=["scheduled_for"],
                condition=Q(scheduled_for__isnull=False),
                name="release_scheduled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series.product.name} {self.version}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.ordering = version.parse(self.version).fields
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("releases:release", args=[self.series.product.slug, self.version])

    @property
    def manage_url(self) -> str:
        return reverse("releases:manage_release", args=[self.series.product.slug, self.version])

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

    def is_yanked(self, at: dt.datetime) -> bool:
        return self.yanked_at is not None and self.yanked_at <= at
