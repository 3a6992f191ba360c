"""Places of a tier: how many are free, who excludes whom. Call it with the tiers locked to sell.

The tiers of one address count together over the years: who renews takes no second place, and keeps
the one there is until the end of the grace.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from portal.members.models import Tier
from portal.sponsors.models import Application


class ConflictError(Exception):
    """The organisation holds a tier that cannot be held together; the argument names it."""


def locked_tier(pk: int) -> Tier:
    """The tier, with all years of it locked, so that applications are counted one by one."""
    slug = Tier.objects.values_list("slug", flat=True).get(pk=pk)
    rows = (
        Tier.objects.select_for_update(of=("self",), no_key=True)
        .filter(slug=slug)
        .select_related("kind")
    )
    return {tier.pk: tier for tier in rows.order_by("pk")}[pk]


def places_left(tier: Tier, at: datetime | None = None, *, line: UUID | None = None) -> int | None:
    """How many places are free, besides that of `line`; None where they are not counted."""
    if tier.capacity is None:
        return None
    holders = _holders(tier, at or timezone.now()) - {line}
    return max(0, tier.capacity - len(holders))


def check_conflicts(draft: Application, tier: Tier, at: datetime) -> None:
    """Another application of the same organisation may hold a tier that excludes this one."""
    same = Q(legal_name__iexact=draft.legal_name, country=draft.country)
    if draft.vat_number:
        same |= Q(vat_number=draft.vat_number)
    if draft.organisation_id is not None:
        same |= Q(organisation=draft.organisation_id)
    held = Application.objects.holding_place(at).filter(same, tier__in=tier.conflicts.all())
    if draft.line is not None:  # what it renews or replaces gives way to it
        held = held.exclude(order__term__line=draft.line).exclude(renews__line=draft.line)
    other = held.exclude(pk=draft.pk).select_related("tier").first()
    if other is not None:
        raise ConflictError(str(other.tier))


def _holders(tier: Tier, at: datetime) -> set[UUID | int | None]:
    """Each line once, whatever it has paid and ordered; a first sign-up by its own key."""
    held = Application.objects.holding_place(at).filter(tier__slug=tier.slug)
    rows = held.values_list("pk", "order__term__line", "renews__line", "replaces__line")
    return {term or renews or replaces or pk for pk, term, renews, replaces in rows}
