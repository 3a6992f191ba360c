from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.members.models.renewal_stop import RenewalStop
from portal.payments.models import Order


class TermQuerySet(models.QuerySet["Term"]):
    def active_on(self, at: datetime) -> TermQuerySet:
        """Begun, not ended early, and not over at that moment, with the grace after its end."""
        running = self.filter(starts_at__lte=at, grace_until__gt=at).exclude(ended_at__lte=at)
        return running.without_cut_grace(at)

    def without_cut_grace(self, at: datetime) -> TermQuerySet:
        """But those whose time is over then, and that were cancelled."""
        return self.exclude(Q(ends_at__lte=at) & Q(pk__in=Term.objects.last_ones().values("pk")))

    def last_ones(self) -> TermQuerySet:
        """Cancelled, here or at the provider: they end on their last day, without a grace.

        Where only the automatic renewal was stopped, the next one may be paid by hand.
        """
        cancelled = Q(cancellations__isnull=False, cancellations__undone_at__isnull=True)
        stops = RenewalStop.objects.standing().filter(subscription=OuterRef("order__subscription"))
        with_period = Q(order__subscription__cancel_at_period_end=True) & ~Exists(stops)
        return self.filter(cancelled | with_period).order_by()

    def with_last(self) -> TermQuerySet:
        """With `is_last`: whether it was cancelled."""
        return self.annotate(is_last=Exists(Term.objects.last_ones().filter(pk=OuterRef("pk"))))

    def paid(self) -> TermQuerySet:
        """Those whose money came; one that was booked by mistake did not."""
        return self.filter(order__paid_at__isnull=False)

    def unrenewed(self) -> TermQuerySet:
        """Those that nothing follows."""
        return self.exclude(Exists(Term.objects.filter(renews=OuterRef("pk"))))

    def renewable(self) -> TermQuerySet:
        """The newest of their lines, where the money was not given back."""
        return self.unrenewed().filter(ended_at__isnull=True)

    def endable(self, at: datetime) -> TermQuerySet:
        """Those that run, will run, or wait in their grace to be renewed."""
        return self.filter(ended_at__isnull=True, grace_until__gt=at).without_cut_grace(at)

    def last_of_line(self) -> Term | None:
        """Of the terms of one line the one that ends last."""
        return self.order_by("-ends_at", "-pk").first()

    def running_out(self, at: datetime) -> TermQuerySet:
        """Those that end, or are in their grace, unless somebody renews them."""
        return self.active_on(at).renewable().exclude(pk__in=Term.objects.last_ones().values("pk"))

    def lapsed(self, at: datetime) -> TermQuerySet:
        """Over with their grace, and renewed by nothing."""
        over = Q(grace_until__lte=at) | Q(
            ends_at__lte=at, pk__in=Term.objects.last_ones().values("pk")
        )
        return self.renewable().filter(over)

    def first_ones(self) -> TermQuerySet:
        """Those that made an organisation a supporter; a later one renews."""
        others = self.model.objects.filter(organisation=OuterRef("organisation"))
        earlier = Q(starts_at__lt=OuterRef("starts_at"))
        earlier |= Q(starts_at=OuterRef("starts_at"), pk__lt=OuterRef("pk"))
        return self.filter(~Exists(others.filter(earlier)))

    def begun_in(self, start: datetime, end: datetime) -> TermQuerySet:
        """Begun in that time and not taken back in it."""
        begun = self.filter(starts_at__gte=start, starts_at__lt=end)
        return begun.exclude(ended_at__lt=end)

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
    kind_slug = models.SlugField(_("kind as bought"))
    kind_name = models.CharField(_("name of the kind as bought"), max_length=60)
    takes_part = models.BooleanField(_("takes part in governance"))
    early_notices = models.BooleanField(_("security notices before everyone"), default=False)
    advisory_seats = models.PositiveSmallIntegerField(_("seats on the advisory list"), default=0)
    price_minor = models.BigIntegerField(_("price in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    line = models.UUIDField(
        _("line"), default=uuid.uuid4, help_text=_("Terms that renew each other share it.")
    )
    renews = models.ForeignKey(
        "self",
        verbose_name=_("renews"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="renewed_by",
    )
    is_upgrade = models.BooleanField(_("took the place of what ran before"), default=False)
    months = models.PositiveSmallIntegerField(_("months as bought"), default=12)
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    grace_until = models.DateTimeField(
        _("shown until"), help_text=_("The end of the grace, unless it is renewed or cancelled.")
    )
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
                condition=Q(grace_until__gte=F("ends_at")), name="term_grace_after_end"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("starts_at")),
                name="term_ends_after_it_starts",
            ),
        ]
        indexes = [
            models.Index(fields=["organisation", "ends_at"], name="term_of_organisation"),
            models.Index(fields=["line"], name="term_of_line"),
            models.Index(fields=["grace_until"], name="term_shown_until"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation}: {self.tier_name}"

    @property
    def benefits(self) -> list[str]:
        """What was bought, line by line."""
        return [str(entitlement) for entitlement in self.entitlements.all()]

    @property
    def price(self) -> Money:
        return Money(self.price_minor, self.currency)

    @property
    def was_cancelled(self) -> bool:
        """It ends on its last day; to be asked after `with_last`."""
        return bool(getattr(self, "is_last", False))

    def in_grace(self, at: datetime) -> bool:
        """Its time is over, and it is shown all the same: it may be renewed as if it were not."""
        return self.ends_at <= at < self.grace_until and self.ended_at is None
