"""Who is shown as a supporter at a moment, and under which tier."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.members.models import Logo, Term, TierPrice
from portal.sponsors.wall import Plate

YEAR = 12  # months
SHOWN = (
    *("kind_name", "tier_name", "tier_rank", "logo_size", "currency", "takes_part", "starts_at"),
    *("organisation__name", "organisation__slug", "organisation__website", "organisation__logo"),
    *("organisation__logo__format", "tier__months"),
)
PICTURE = tuple(f"organisation__logo__{name}" for name in ("content", "width", "height"))


@dataclass(frozen=True)
class Supporter:
    """One organisation with the best of its terms."""

    name: str
    slug: str
    url: str
    logo: Logo | None
    kind: str
    tier: str
    rank: int
    size: str
    price: Money | None  # of the tier: what was paid, with coupon and VAT, is not for everybody
    months: int
    takes_part: bool
    since: datetime

    @property
    def logo_url(self) -> str:
        return self.logo.get_absolute_url() if self.logo else ""

    @property
    def plate(self) -> Plate:
        if self.logo is None:
            return Plate(self.name, self.size, "", b"", 0, 0)
        content = bytes(self.logo.content)
        logo = self.logo
        return Plate(self.name, self.size, logo.format, content, logo.width, logo.height)


@dataclass(frozen=True)
class Group:
    """A tier with its supporters: one section of the page."""

    name: str
    size: str
    price: Money | None
    months: int
    organisations: list[Supporter]

    @property
    def note(self) -> str:
        """What it costs; nothing where the tier is not sold in that currency any more."""
        if self.price is None:
            return ""
        if self.months == YEAR:
            return _("%(price)s a year") % {"price": self.price}
        return _("%(price)s for %(months)s months") % {"price": self.price, "months": self.months}


def supporters(at: datetime, *, with_pictures: bool = False) -> list[Supporter]:
    """Paid, in term and consented at that moment; each once, best tier first.

    Pages name the address of a logo; who draws it asks for the pictures. One query.
    """
    of_organisation = Term.objects.filter(organisation=OuterRef("organisation"))
    prices = TierPrice.objects.filter(tier=OuterRef("tier"), currency=OuterRef("currency"))
    terms = (
        Term.objects.active_on(at)
        .filter(organisation__is_listed=True)
        .annotate(
            since=Subquery(of_organisation.order_by("starts_at").values("starts_at")[:1]),
            price_now=Subquery(prices.values("amount_minor")[:1]),
        )
        .select_related("organisation__logo", "tier")
        .only(*SHOWN, *(PICTURE if with_pictures else ()))
        .best_first()
    )
    best: dict[int, Term] = {}
    for term in terms:
        best.setdefault(term.organisation_id, term)
    found = [_supporter(term) for term in best.values()]
    return sorted(found, key=lambda supporter: (supporter.rank, supporter.tier, supporter.since))


def groups(found: list[Supporter]) -> list[Group]:
    """The supporters under the tiers they bought."""
    tiers = groupby(found, key=lambda supporter: (supporter.rank, supporter.tier))
    lists = [(tier, list(members)) for (_, tier), members in tiers]
    return [Group(tier, some[0].size, some[0].price, some[0].months, some) for tier, some in lists]


def _supporter(term: Any) -> Supporter:
    organisation, price = term.organisation, term.price_now
    return Supporter(
        name=organisation.name,
        slug=organisation.slug,
        url=organisation.website,
        logo=organisation.logo,
        kind=term.kind_name,
        tier=term.tier_name,
        rank=term.tier_rank,
        size=term.logo_size,
        price=None if price is None else Money(price, term.currency),
        months=term.tier.months,
        takes_part=term.takes_part,
        since=term.since,
    )
