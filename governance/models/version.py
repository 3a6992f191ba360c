from __future__ import annotations

from datetime import date, datetime
from functools import cached_property

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.bylaws import text as source
from governance.bylaws import typo
from governance.models.bylaws import Bylaws


class VersionQuerySet(models.QuerySet["Version"]):
    def in_force(self, on: date) -> VersionQuerySet:
        """Of each of the bylaws the version that applies on that day."""
        begun = self.filter(effective_on__lte=on).order_by("bylaws_id", "-number")
        return self.filter(pk__in=begun.distinct("bylaws_id").values("pk")).order_by(
            "bylaws__position", "bylaws__name"
        )

    def coming(self, on: date) -> VersionQuerySet:
        """Adopted and not in force yet, the next first."""
        return self.filter(effective_on__gt=on).order_by("effective_on", "number")

    def whole(self) -> VersionQuerySet:
        """With all that its page asks for."""
        return self.with_bylaws().prefetch_related("typos")

    def with_bylaws(self) -> VersionQuerySet:
        """With whose they are, and the resolution; the texts of resolutions are long."""
        related = self.select_related("bylaws__body", "adopted_by")
        return related.defer("adopted_by__text", "adopted_by__papers")

    def listed(self) -> VersionQuerySet:
        """Without its text, which no list shows."""
        return self.with_bylaws().defer("text")


class Version(models.Model):
    """The whole text of bylaws as it was adopted; a trigger of the database keeps it so.

    Spelling is corrected beside it, in `Typo`.
    """

    bylaws = models.ForeignKey(Bylaws, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField(_("version"))
    text = models.TextField(_("text"))
    text_sha256 = models.CharField(max_length=64)
    adopted_by = models.OneToOneField(
        "governance.Motion",
        on_delete=models.PROTECT,
        null=True,
        related_name="version",
        verbose_name=_("adopted by"),
    )
    adopted_on = models.DateField(_("adopted"))
    effective_on = models.DateField(_("in force from"))
    note = models.CharField(_("note"), max_length=300, blank=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("version of bylaws")
        verbose_name_plural = _("versions of bylaws")
        ordering = ["bylaws", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["bylaws", "number"], name="bylaws_version_once"),
            models.CheckConstraint(
                name="bylaws_version_counts_from_one", condition=Q(number__gte=1)
            ),
            models.CheckConstraint(
                name="bylaws_in_force_after_adoption",
                condition=Q(effective_on__gte=F("adopted_on")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bylaws}, {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("governance:bylaws_version", args=[self.bylaws.slug, self.number])

    @cached_property
    def adopted_items(self) -> list[source.Item]:
        """As adopted, without later corrections of spelling."""
        return source.read(self.text)

    def items(self, at: datetime | None = None) -> list[source.Item]:
        """With the corrections of spelling that were made until then; all of them without `at`."""
        made = [
            each
            for each in self.typos.all()
            if each.is_accepted and (at is None or (each.decided_at and each.decided_at <= at))
        ]
        made.sort(key=lambda each: (each.decided_at, each.pk))
        return typo.corrected(self.adopted_items, [each.correction for each in made])

    @cached_property
    def articles(self) -> list[source.Article]:
        return source.articles(self.items())

    @property
    def preamble(self) -> str:
        first = self.items()[0]
        return first.text if first.kind is source.Kind.PREAMBLE else ""
