"""What is on offer now: tiers, their prices in one currency, and the places left."""

from dataclasses import dataclass
from uuid import UUID

from portal.lib.money import Money
from portal.members.models import Tier
from portal.sponsors.places import places_left


@dataclass(frozen=True)
class Place:
    """One tier of the offer, as the sign-up page shows it."""

    tier: Tier
    price: Money | None
    left: int | None

    @property
    def is_full(self) -> bool:
        return self.left == 0


@dataclass(frozen=True)
class Offer:
    currency: str
    currencies: list[str]
    places: list[Place]


def offer(wanted_currency: str, *, line: UUID | None = None) -> Offer:
    """The tiers in that currency; in the first one they have where it is not offered.

    Who asks for `line` holds a place already, which is free for them.
    """
    tiers = list(Tier.objects.offered())
    currencies = sorted({price.currency for tier in tiers for price in tier.prices.all()})
    currency = wanted_currency if wanted_currency in currencies else (currencies or [""])[0]
    places = [Place(tier, tier.price(currency), places_left(tier, line=line)) for tier in tiers]
    return Offer(currency, currencies, [place for place in places if place.price])


def tier_pk(key: str) -> int | None:
    """The row of the offered tier with that key."""
    return next((tier.pk for tier in Tier.objects.offered() if tier.key == key), None)
