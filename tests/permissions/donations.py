from portal.donations.letters import manage_url
from portal.donations.tests.givers import make_donation, make_paid
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page

DONOR = {"charlie"}


def own(cast: Cast, step: str = "") -> str:
    return f"{make_donation('month', actor=cast['charlie']).get_absolute_url()}{step}"


def receipt(cast: Cast) -> str:
    donation = make_paid(actor=cast["charlie"])
    return f"{donation.get_absolute_url()}receipts/{donation.order.receipt_number}.pdf"


PAGES = {
    "donations:donate": Page(EVERYBODY),
    "donations:donors": Page(EVERYBODY),
    "donations:manage": Page(EVERYBODY),
    "donations:open_link": Page(
        EVERYBODY, sample=lambda cast: manage_url(make_donation()).partition("8000")[2]
    ),
    "donations:own": Page(SIGNED_IN),
    "donations:donation": Page(DONOR, sample=own),
    "donations:returned": Page(EVERYBODY, sample=lambda cast: own(cast, "back/")),
    "donations:pay": Page(DONOR, sample=lambda cast: own(cast, "pay/"), method="POST"),
    "donations:card": Page(DONOR, sample=lambda cast: own(cast, "card/"), method="POST"),
    "donations:amount": Page(DONOR, sample=lambda cast: own(cast, "amount/"), method="POST"),
    "donations:end": Page(DONOR, sample=lambda cast: own(cast, "end/"), method="POST"),
    "donations:naming": Page(DONOR, sample=lambda cast: own(cast, "naming/"), method="POST"),
    "donations:receipt": Page(DONOR, sample=receipt),
    "donations:dedications": Page(STAFF),
    "donations:judge": Page(
        STAFF, sample=lambda cast: f"/staff/dedications/{make_donation().pk}/", method="POST"
    ),
}
