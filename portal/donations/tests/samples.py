"""Where a sample of each view with parameters stands (see tests/samples.py)."""

from django.urls import reverse

from portal.donations.letters import manage_url
from portal.donations.models import Donation


def first() -> Donation:
    return Donation.objects.given().order_by("pk")[0]


def receipt() -> str:
    donation = first()
    number = donation.order.receipt_number
    return reverse("donations:receipt", args=[donation.reference, number])


def _of(name: str) -> str:
    return reverse(f"donations:{name}", args=[first().reference])


SAMPLES = {
    "donations:open_link": lambda: "/donate/manage/" + manage_url(first()).split("/")[-2] + "/",
    "donations:donation": lambda: first().get_absolute_url(),
    "donations:returned": lambda: _of("returned"),
    "donations:pay": lambda: _of("pay"),
    "donations:card": lambda: _of("card"),
    "donations:amount": lambda: _of("amount"),
    "donations:end": lambda: _of("end"),
    "donations:naming": lambda: _of("naming"),
    "donations:receipt": receipt,
    "donations:judge": lambda: reverse("donations:judge", args=[first().pk]),
}
