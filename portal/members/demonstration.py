"""The offer of the demonstration foundation: kinds, tiers and prices."""

from datetime import datetime

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.actions.tier import define_kind, save_tier
from portal.members.models import Tier

BIG, MID, LOW = Tier.LogoSize.BIG, Tier.LogoSize.MID, Tier.LogoSize.LOW


def load(*, actor: User, at: datetime) -> None:
    """Three tiers of the year of `at`, in euro, dollar and yen."""
    sponsor = define_kind(
        actor=actor, slug="sponsor", name="sponsor", plural="sponsors", takes_part=False
    )
    member = define_kind(
        actor=actor, slug="member", name="member", plural="members", takes_part=True
    )
    silver = Tier(
        year=at.year,
        slug="silver",
        name="Silver",
        kind=sponsor,
        note="any size",
        rank=3,
        logo_size=LOW,
        benefits=["Logo on the supporters page, small", "Logo wall for your site"],
        withheld=["No vote"],
    )
    gold = Tier(
        year=at.year,
        slug="gold",
        name="Gold",
        kind=member,
        rank=2,
        logo_size=MID,
        is_highlighted=True,
        benefits=[
            "Logo on the supporters page, medium",
            "One seat on the advisory list",
            "One vote in the corporate constituency",
        ],
    )
    platinum = Tier(
        year=at.year,
        slug="platinum",
        name="Platinum",
        kind=member,
        rank=1,
        logo_size=BIG,
        capacity=6,
        needs_review=True,
        benefits=[
            "Logo first and large",
            "Two seats on the advisory list",
            "One vote, as every member",
            "Two talks a year with the council",
            "Security notices before everyone",
        ],
        early_notices=True,
    )
    offer(actor, silver, 5_000, 5_500, 800_000)
    offer(actor, gold, 20_000, 22_000, 3_200_000)
    offer(actor, platinum, 50_000, 55_000, 8_000_000)


def offer(actor: User, tier: Tier, euro: int, dollar: int, yen: int) -> None:
    """Add the tier unless it is there."""
    if not Tier.objects.filter(year=tier.year, slug=tier.slug).exists():
        prices = [Money(euro * 100, "EUR"), Money(dollar * 100, "USD"), Money(yen, "JPY")]
        save_tier(actor=actor, tier=tier, prices=prices)
