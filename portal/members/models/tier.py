from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import Prefetch, Q
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money

if TYPE_CHECKING:
    from portal.members.models.benefit import Benefit


class SupporterKind(models.Model):
    """What sort of supporter a tier makes: a sponsor pays, a member also takes part."""

    slug = models.SlugField(_("address"), unique=True)
    name = models.CharField(_("name"), max_length=60, help_text=_("One of them: sponsor."))
    plural = models.CharField(_("plural"), max_length=60, help_text=_("Many of them: sponsors."))
    takes_part = models.BooleanField(
        _("takes part in governance"),
        default=False,
        help_text=_("A seat on the advisory list and a vote in the corporate constituency."),
    )

    class Meta:
        verbose_name = _("kind of supporter")
        verbose_name_plural = _("kinds of supporters")
        ordering = ["takes_part", "slug"]

    def __str__(self) -> str:
        return self.name


class TierQuerySet(models.QuerySet["Tier"]):
    def offered(self) -> TierQuerySet:
        """What the sign-up page shows, cheapest first."""
        prices = Prefetch("prices", TierPrice.objects.order_by("currency"))
        offered = self.filter(is_offered=True, prices__isnull=False).distinct()
        fetched = offered.select_related("kind").prefetch_related(prices, "benefits")
        return fetched.order_by("-rank", "name")

    def of_year(self, year: int) -> TierQuerySet:
        """All of a year, best first, with what the staff pages show."""
        found = self.filter(year=year).select_related("kind")
        return found.prefetch_related("prices", "benefits", "conflicts").order_by("rank", "name")


class Tier(models.Model):
    """An offer of one year. What somebody bought is kept in their term, not read from here."""

    class LogoSize(models.TextChoices):
        BIG = "big", _("large")
        MID = "mid", _("medium")
        LOW = "low", _("small")

    year = models.PositiveSmallIntegerField(_("year"))
    slug = models.SlugField(_("address"), max_length=40)
    name = models.CharField(_("name"), max_length=60)
    kind = models.ForeignKey(
        SupporterKind, verbose_name=_("kind"), on_delete=models.PROTECT, related_name="tiers"
    )
    note = models.CharField(
        _("note"), max_length=80, blank=True, help_text=_("For whom: any size.")
    )
    early_notices = models.BooleanField(
        _("security notices before everyone"),
        default=False,
        help_text=_("Technical contacts and owners are told of faults before they are public."),
    )
    rank = models.PositiveSmallIntegerField(_("rank"), help_text=_("1 is shown first."))
    logo_size = models.CharField(_("logo size"), max_length=3, choices=LogoSize)
    months = models.PositiveSmallIntegerField(_("length of a term in months"), default=12)
    capacity = models.PositiveSmallIntegerField(
        _("places"), null=True, blank=True, help_text=_("Empty: as many as want.")
    )
    needs_review = models.BooleanField(_("staff review applications"), default=False)
    is_highlighted = models.BooleanField(_("highlighted"), default=False)
    is_offered = models.BooleanField(_("offered"), default=True)
    conflicts = models.ManyToManyField(
        "self", verbose_name=_("cannot be held together with"), blank=True
    )

    objects: ClassVar[TierQuerySet] = TierQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("tier")
        verbose_name_plural = _("tiers")
        ordering = ["-year", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["year", "slug"], name="tier_once_a_year"),
            models.CheckConstraint(condition=Q(months__gt=0), name="tier_lasts"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.year}"

    @property
    def key(self) -> str:
        """Its name in addresses and forms: gold-2026."""
        return f"{self.slug}-{self.year}"

    @property
    def advisory_seats(self) -> int:
        """How many people it may send to the advisory list, as its benefits say."""
        return seats_of(self.benefits.included())

    def price(self, currency: str) -> Money | None:
        """What it costs in `currency`; None where it has no price in it."""
        found = [price.amount for price in self.prices.all() if price.currency == currency]
        return found[0] if found else None


def seats_of(benefits: Iterable[Benefit]) -> int:
    return sum(benefit.quantity or 0 for benefit in benefits if benefit.kind == "seats")


class TierPrice(models.Model):
    tier = models.ForeignKey(
        Tier, verbose_name=_("tier"), on_delete=models.CASCADE, related_name="prices"
    )
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    amount_minor = models.BigIntegerField(
        _("price in minor units"), help_text=_("In cents: 500000 is 5,000.00 €.")
    )

    class Meta:
        verbose_name = _("price")
        verbose_name_plural = _("prices")
        ordering = ["currency"]
        constraints = [
            models.UniqueConstraint(fields=["tier", "currency"], name="tier_price_once"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="tier_price_positive"),
        ]

    def __str__(self) -> str:
        return str(self.amount)

    @property
    def amount(self) -> Money:
        return Money(self.amount_minor, self.currency)
