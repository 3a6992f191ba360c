from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from benchmarks.models.case import Case


class SuiteQuerySet(models.QuerySet["Suite"]):
    def with_counts(self) -> SuiteQuerySet:
        """Each suite with its number of cases and of runs that everybody may see."""
        return self.annotate(
            case_count=Count("cases", distinct=True),
            run_count=Count("runs", filter=Q(runs__state="published"), distinct=True),
        )


class Suite(models.Model):
    """A set of cases with exact definitions. An open one takes cases that nobody has defined."""

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    summary = models.CharField(_("summary"), max_length=300)
    source = models.CharField(_("source"), max_length=300, blank=True)
    is_open = models.BooleanField(_("takes undefined cases"), default=False)
    position = models.PositiveSmallIntegerField(_("position"), default=100)
    created_at = models.DateTimeField(_("defined"), default=timezone.now, editable=False)

    objects: ClassVar[models.Manager[Suite]] = SuiteQuerySet.as_manager()

    class Meta:
        verbose_name = _("benchmark suite")
        verbose_name_plural = _("benchmark suites")
        ordering = ["position", "slug"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("benchmarks:suite", args=[self.slug])

    def newest_cases(self) -> dict[str, Case]:
        """The newest version of each case by its address, each where its first version stood."""
        return {one.slug: one for one in self.cases.order_by("position", "slug", "version")}
