"""What was given, as the ledger has it: payments less what went back, a sum for each currency."""

from dataclasses import dataclass

from django.db.models import Q

from portal.donations.models import Donation
from portal.lib.money import Money
from portal.payments.models import LedgerEntry, Subscription
from portal.payments.models.ledger import LedgerEntryQuerySet


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums of a year (or of all), and how many donations stand behind them."""

    sums: list[Money]
    donations: int
    running: int


def ledger(year: int | None = None) -> LedgerEntryQuerySet:
    """The entries of donations: of first orders, and of later ones of their subscriptions."""
    of_donations = Q(order__donation__isnull=False) | Q(order__subscription__donation__isnull=False)
    entries = LedgerEntry.objects.filter(of_donations)
    return entries.filter(occurred_at__year=year) if year else entries


def figures(year: int | None = None) -> Figures:
    given = Donation.objects.given()
    counted = given.filter(first_paid_at__year=year) if year else given
    return Figures(
        sums=list(ledger(year).totals().values()),
        donations=counted.count(),
        running=given.filter(subscription__in=Subscription.objects.renewing()).count(),
    )
