"""Offering tiers."""

from collections.abc import Iterable

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.members.models import SupporterKind, Tier, TierPrice


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
def save_tier(*, actor: User | None, tier: Tier, prices: Iterable[Money] = ()) -> Tier:
    """Keep a new or changed tier; terms that were bought keep what they were."""
    is_new = tier.pk is None
    tier.full_clean()
    tier.save()
    for price in prices:
        TierPrice.objects.update_or_create(
            tier=tier, currency=price.currency, defaults={"amount_minor": price.minor}
        )
    audit.record(actor=actor, verb="tier.add" if is_new else "tier.change", subject=tier)
    return tier
