from __future__ import annotations

import datetime as dt

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases import version
from releases.models.product import Product


class SeriesQuerySet(models.QuerySet["Series"]):
    def supported(self, at: dt.date) -> SeriesQuerySet:
        """Series that got out and have not reached their end."""
        return self.filter(released_on__lte=at).exclude(eol_on__lte=at)

    def ended(self, at: dt.date) -> SeriesQuerySet:
        return self.filter(eol_on__lte=at)

    def newest_first(self) -> SeriesQuerySet:
        return self.order_by("product__position", "product__name", "-ordering")

    def shown(self, at: dt.datetime) -> SeriesQuerySet:
        """Series that have something published: a series with drafts alone is nobody's business."""
        return self.filter(releases__published_at__lte=at).distinct()


class Series(models.Model):
    """A line of releases that is supported together: 11.8, with its dates."""

    class Support(models.TextChoices):
        LONG = "long", _("Long term")
        SHORT = "short", _("Short term")
        ROLLING = "rolling", _("Rolling")

    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="series")
    name = models.CharField(_("name"), max_length=40)
    ordering = ArrayField(models.IntegerField(), size=6, editable=False)
    support = models.CharField(_("support"), max_length=10, choices=Support)
    released_on = models.DateField(
        _("first stable release"), null=True, blank=True, help_text=_("May lie in the future.")
    )
    eol_on = models.DateField(_("end of support"), null=True, blank=True)
    edited_at = models.DateTimeField(_("edited"), auto_now=True)

    objects = SeriesQuerySet.as_manager()

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["product", "-ordering"]
        constraints = [
            models.UniqueConstraint(fields=["product", "name"], name="series_once_per_product"),
            models.CheckConstraint(
                condition=Q(eol_on__isnull=True)
                | Q(released_on__isnull=True)
                | Q(eol_on__gt=F("released_on")),
                name="series_ends_after_it_begins",
                violation_error_message=_("The end of support lies after the first release."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product.name} {self.name}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.ordering = version.parse(self.name).fields
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("releases:series", args=[self.product.slug, self.name])

    @property
    def has_dates(self) -> bool:
        """Whether it says how long it is supported; a rolling one is until the next release."""
        is_rolling = self.support == self.Support.ROLLING
        return self.released_on is not None and (is_rolling or self.eol_on is not None)

    @property
    def open_end(self) -> Promise:
        """How pages call an end of support that has no day."""
        if self.support == self.Support.ROLLING:
            return _("the next release")
        return _("not announced yet")

    def is_ended(self, at: dt.date) -> bool:
        return self.eol_on is not None and self.eol_on <= at
