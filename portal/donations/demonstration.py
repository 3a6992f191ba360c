"""Donors of the demonstration foundation."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.accounts.models import User
from portal.donations.actions.dedication import judge_dedication
from portal.donations.actions.donation import Donor, place_donation
from portal.donations.actions.settlement import settle_donation
from portal.donations.models import Donation, DonationCurrency
from portal.lib.money import Money
from portal.payments.actions.payment import record_offline_payment

CURRENCIES = [
    ("EUR", 1, 2_00, 10_000_00, "25 50 100 250", "5 10 25 50", "50 100 250 500"),
    ("USD", 2, 2_00, 10_000_00, "25 50 100 250", "5 10 25 50", "50 100 250 500"),
    ("GBP", 3, 2_00, 10_000_00, "20 40 80 200", "5 10 20 40", "40 80 200 400"),
    ("JPY", 4, 300, 1_500_000, "3000 6000 12000", "600 1200 3000", "6000 12000 30000"),
]


@dataclass(frozen=True)
class Gift:
    name: str
    amount: Money
    days: int
    is_named: bool = True
    dedication: str = ""


GIFTS = [
    Gift("Ines Okafor", Money(50_00, "EUR"), 4, dedication="For the people who write the tests."),
    Gift("Tomás Rivera", Money(25_00, "USD"), 12),
    Gift("Yuki Tanabe", Money(6_000, "JPY"), 20, dedication="Thank you for eleven years."),
    Gift("Marek Nowak", Money(100_00, "EUR"), 33, is_named=False),
    Gift("Priya Raman", Money(40_00, "GBP"), 51),
]


def load(*, actor: User, at: datetime) -> None:
    """Currencies to give in, and five donations by bank transfer; the newest dedication waits."""
    for currency, rank, least, most, once, monthly, yearly in CURRENCIES:
        DonationCurrency.objects.get_or_create(
            currency=currency,
            defaults={
                "rank": rank,
                "minimum_minor": least,
                "maximum_minor": most,
                "once": once,
                "monthly": monthly,
                "yearly": yearly,
            },
        )
    for number, gift in enumerate(GIFTS, start=1):
        email = f"donor{number}@donors.example"
        if not Donation.objects.filter(email=email).exists():
            _give(actor, gift, email, at - timedelta(days=gift.days))


def _give(actor: User, gift: Gift, email: str, at: datetime) -> None:
    donor = Donor(gift.name, email, is_named=gift.is_named, dedication=gift.dedication)
    donation = place_donation(
        actor=None, donor=donor, amount=gift.amount, interval="", provider="twin"
    )
    record_offline_payment(
        actor=actor, order=donation.order, amount=gift.amount, statement_ref=f"gift {email}", at=at
    )
    settle_donation(donation_pk=donation.pk)
    if gift.dedication and gift.days > 7:
        judge_dedication(actor=actor, donation=donation, shown=True)
