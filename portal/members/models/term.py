from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.models import Order


class TermQuerySet(models.QuerySet["Term"]):
    def active_on(self, at: datetime) -> TermQuerySet:
        """Begun, not over and not ended early at that moment."""
        running = self.filter(starts_at__lte=at, ends_at__gt=at)
        return running.exclude(ended_at__lte=at)

    def best_first(self) -> TermQuerySet:
        return self.order_by("tier_rank", "starts_at", "pk")


class Term(models.Model):
    """A paid time as a supporter: a snapshot of what was bought. An unpaid one does not exist."""

    organisation = models.ForeignKey(
        "members.Organisation",
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="terms",
    )
    tier = models.ForeignKey(
        "members.Tier", verbose_name=_("tier"), on_delete=models.PROTECT, related_name="terms"
    )
    order = models.OneToOneField(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="term"
    )
    tier_name = models.CharField(_("tier as bought"), max_length=60)
    tier_rank = models.PositiveSmallIntegerField(_("rank as bought"))
    logo_size = models.CharField(_("logo size as bought"), max_length=3)
    benefits = models.JSONField(_("benefits as bought"), default=list)
    kind_slug = models.SlugField(_("kind as bought"))
    kind_name = models.CharField(_("name of the kind as bought"), max_length=60)
    takes_part = models.BooleanField(_("takes part in governance"))
    early_notices = models.BooleanField(_("security notices before everyone"), default=False)
    price_minor = models.BigIntegerField(_("price in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    ended_at = models.DateTimeField(_("ended early"), null=True, blank=True)
    end_reason = models.CharField(_("why it ended"), max_length=200, blank=True)

    objects: ClassVar[TermQuerySet] = TermQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ["-starts_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="term_lasts"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("starts_at")),
                name="term_ends_after_it_starts",
            ),
        ]
        indexes = [models.Index(fields=["organisation", "ends_at"], name="term_of_organisation")]

    def __str__(self) -> str:
        return f"{self.organisation}: {self.tier_name}"

    @property
    def price(self) -> Money:
        return Money(self.price_minor, self.currency)
