"""Offering tiers: written, cloned into another year, looked through, offered."""

from collections.abc import Collection, Iterable

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.members.models import Benefit, BenefitKind, SupporterKind, Tier, TierPrice


class YearTakenError(Exception):
    """That year has tiers already."""


class NothingToOfferError(Exception):
    """A tier without a price cannot be offered; the argument names it."""


@transaction.atomic
def define_kind(
    *, actor: User | None, slug: str, name: str, plural: str, takes_part: bool
) -> SupporterKind:
    """The kind of supporter with that address; it is written once."""
    kind, created = SupporterKind.objects.get_or_create(
        slug=slug, defaults={"name": name, "plural": plural, "takes_part": takes_part}
    )
    if created:
        audit.record(actor=actor, verb="kind.define", subject=kind)
    return kind


@transaction.atomic
def save_tier(
    *,
    actor: User | None,
    tier: Tier,
    prices: Iterable[Money] | None = None,
    benefits: Iterable[Benefit] | None = None,
    conflicts: Iterable[Tier] | None = None,
) -> Tier:
    """Keep a new or changed tier; terms that were bought keep what they were.

    Prices, benefits and conflicts take the place of the earlier ones; None leaves them alone.
    """
    is_new = tier.pk is None
    tier.full_clean()
    tier.save()
    if prices is not None:
        _set_prices(tier, list(prices))
    if benefits is not None:
        _set_benefits(tier, list(benefits))
    if conflicts is not None:
        tier.conflicts.set(conflicts)
    audit.record(actor=actor, verb="tier.add" if is_new else "tier.change", subject=tier)
    return tier


@transaction.atomic
def clone_year(*, actor: User, source: int, target: int) -> list[Tier]:
    """The tiers of a year once more for another one, not offered yet. Raises YearTakenError."""
    originals = list(Tier.objects.of_year(source).select_for_update(of=("self",)))
    if not originals or Tier.objects.filter(year=target).exists():
        raise YearTakenError(target)
    clones = {original.pk: _clone(original, target) for original in originals}
    for original in originals:
        others = [clones[other.pk] for other in original.conflicts.all() if other.pk in clones]
        clones[original.pk].conflicts.set(others)
    for tier in clones.values():
        audit.record(actor=actor, verb="tier.clone", subject=tier, source=source)
    return list(clones.values())


@transaction.atomic
def offer_year(*, actor: User, year: int, tiers: Collection[int]) -> list[Tier]:
    """Offer these tiers of the year from now on, and no other tier of any year."""
    chosen = list(Tier.objects.of_year(year).filter(pk__in=tiers))
    for tier in chosen:
        if not tier.prices.exists():
            raise NothingToOfferError(str(tier))
    for tier in Tier.objects.select_for_update().order_by("pk"):
        is_offered = tier.pk in {one.pk for one in chosen}
        if tier.is_offered != is_offered:
            Tier.objects.filter(pk=tier.pk).update(is_offered=is_offered)
            verb = "tier.offer" if is_offered else "tier.withdraw"
            audit.record(actor=actor, verb=verb, subject=tier)
    return chosen


def sentences(*texts: str, included: bool = True) -> list[Benefit]:
    """Benefits that are only words."""
    return [Benefit(kind=BenefitKind.TEXT, text=text, is_included=included) for text in texts]


def _set_prices(tier: Tier, prices: list[Money]) -> None:
    tier.prices.exclude(currency__in=[price.currency for price in prices]).delete()
    for price in prices:
        TierPrice.objects.update_or_create(
            tier=tier, currency=price.currency, defaults={"amount_minor": price.minor}
        )


def _set_benefits(tier: Tier, benefits: list[Benefit]) -> None:
    tier.benefits.all().delete()
    for position, benefit in enumerate(benefits):
        benefit.pk, benefit.tier, benefit.position = None, tier, position
        benefit.full_clean()
        benefit.save(force_insert=True)


def _clone(original: Tier, year: int) -> Tier:
    prices, benefits = list(original.prices.all()), list(original.benefits.all())
    tier = Tier.objects.get(pk=original.pk)
    tier.pk, tier.year, tier.is_offered = None, year, False
    tier._state.adding = True
    tier.save()
    _set_prices(tier, [price.amount for price in prices])
    _set_benefits(tier, benefits)
    return tier
