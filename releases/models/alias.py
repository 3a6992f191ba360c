from __future__ import annotations

from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from releases.models.product import Product
from releases.models.series import Series

PATTERN: Final = r"^(latest|latest-lts|\d{1,6}\.rolling|\d{1,6}\.rc)$"

CANDIDATES: Final = ".rc"


class AliasQuerySet(models.QuerySet["Alias"]):
    def moving(self) -> AliasQuerySet:
        """Those that go to another series as soon as its repositories are newer."""
        return self.filter(target__isnull=False)

    def for_stable_users(self) -> AliasQuerySet:
        """All but <N>.rc: who follows that one asked for candidates."""
        return self.exclude(name__endswith=CANDIDATES)

    def leading_to(self, series: Series) -> AliasQuerySet:
        return self.filter(Q(series=series) | Q(target=series))


class Alias(models.Model):
    """A name below /repo/ and /yum/ that shows the repositories of a series: latest, 12.rolling.

    `series` is what clients read. `target` is where a move leads that still waits: apt ignores an
    index that is older than the one it has, so the target is published again before.
    """

    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="aliases")
    name = models.CharField(_("name"), max_length=20)
    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="aliases")
    target = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    held = models.BooleanField(
        _("held by hand"),
        default=False,
        help_text=_("Stays where a person put it; new releases do not move it."),
    )
    moved_at = models.DateTimeField(_("moved"))
    newest_shown = models.DateTimeField(
        _("newest date that was shown before the last move"), null=True, editable=False
    )

    objects = AliasQuerySet.as_manager()

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        ordering = ["product", "name"]
        constraints = [
            models.UniqueConstraint(fields=["product", "name"], name="alias_once_per_product"),
            models.CheckConstraint(condition=Q(name__regex=PATTERN), name="alias_has_a_known_form"),
            models.CheckConstraint(
                condition=Q(target__isnull=True) | ~Q(target=models.F("series")),
                name="alias_moves_elsewhere",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product.name} {self.name}"

    @property
    def is_for_stable_users(self) -> bool:
        return not self.name.endswith(CANDIDATES)


class AliasPast(models.Model):
    """A series that an alias showed before, so that a client in the middle finds its files."""

    alias = models.ForeignKey(Alias, on_delete=models.CASCADE, related_name="past")
    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="alias_past")
    left_at = models.DateTimeField(_("left"))

    objects: ClassVar[models.Manager[AliasPast]] = models.Manager()

    class Meta:
        verbose_name = _("place where an alias was")
        verbose_name_plural = _("places where aliases were")
        ordering = ["-left_at"]

    def __str__(self) -> str:
        return f"{self.alias} was {self.series.name}"
