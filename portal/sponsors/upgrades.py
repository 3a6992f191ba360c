"""Another tier beside or above what an organisation holds, and what is left of the old one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from portal.lib.money import Money
from portal.members.line import Bought, Place, bonus, left_of
from portal.members.models import Organisation, Term, Tier
from portal.members.terms import add_months
from portal.sponsors.models import Application


class Way(StrEnum):
    ADD = "add"  # nothing of its kind is held, nor what excludes it: both run side by side
    UPGRADE = "upgrade"  # above what is held: takes its place with the payment
    LATER = "later"  # below it: at the renewal
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Step:
    """How an organisation comes to a tier; `term` is what it holds of that kind, or else what the
    tier cannot be held together with.
    """

    way: Way
    term: Term | None = None


def step_to(organisation: Organisation, tier: Tier, at: datetime) -> Step:
    """The better rank decides, not the price: that depends on year and currency."""
    own = organisation.terms.all()
    # What was renewed already is held too, by the term that is still to come.
    held = own.active_on(at) | own.filter(starts_at__gt=at)
    newest = held.renewable().select_related("tier", "order")
    term = (
        newest.filter(kind_slug=tier.kind.slug).best_first().first()
        or newest.filter(tier__in=tier.conflicts.all()).best_first().first()
    )
    if term is None:
        return Step(Way.ADD)
    if term.tier.slug == tier.slug:
        return Step(Way.HELD, term)
    better = tier.rank < term.tier_rank and not term.in_grace(at)
    return Step(Way.UPGRADE if better else Way.LATER, term)


def extra_days(draft: Application, net: Money, at: datetime) -> int:
    """What is left of the replaced line, as days of the new tier, if it is paid at that moment."""
    if draft.replaces is None:
        return 0
    rows = Term.objects.filter(line=draft.replaces.line, ended_at=None, ends_at__gt=at).paid()
    before = [(_bought(term), _place(term)) for term in rows.select_related("order")]
    length = add_months(at, draft.tier.months) - at
    return bonus(left_of(before, at), net.minor, length) // timedelta(days=1)


def _bought(term: Term) -> Bought:
    paid_at = term.order.paid_at or term.starts_at
    return Bought(term.pk, paid_at, term.months, term.order.net_minor)


def _place(term: Term) -> Place:
    return Place(term.starts_at, term.ends_at, term.grace_until)
