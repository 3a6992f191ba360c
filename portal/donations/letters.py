"""The letters to donors. Each has a key of its own, so that none is sent twice."""

from datetime import datetime, timedelta

from django.conf import settings

from portal.donations.models import Donation
from portal.lib import links, outbox
from portal.payments.models import Checkout, FailedCharge, LedgerEntry, Order

MANAGE = "donations.manage"
LINK_LASTS = timedelta(days=400)  # a yearly donor finds it in the letter of the last payment


def manage_url(donation: Donation) -> str:
    """A signed address that opens this donation without a login."""
    token = links.sign(str(donation.reference), purpose=MANAGE)
    return f"{settings.BASE_URL}/donate/manage/{token}/"


def paid(donation: Donation, order: Order) -> None:
    _send(donation, "paid", f"paid:{order.reference}", order=order)


def refunded(donation: Donation, order: Order, entry: LedgerEntry) -> None:
    key = f"refunded:{entry.provider}:{entry.provider_ref}"
    _send(donation, "refunded", key, order=order, amount=-entry.amount)


def failed(donation: Donation, checkout: Checkout) -> None:
    _send(donation, "failed", f"failed:{checkout.provider}:{checkout.session_id}")


def charge_failed(donation: Donation, charge: FailedCharge) -> None:
    """Once for each period, however often it is tried."""
    key = f"charge:{charge.provider}:{charge.provider_invoice_id}"
    paid = donation.receipts().filter(provider_invoice_id=charge.provider_invoice_id)
    _send(donation, "charge_failed", key, charge=charge, is_paid_since=paid.exists())


def ended(donation: Donation) -> None:
    _send(donation, "ended", f"ended:{donation.reference}")


def links_to(*, email: str, donations: list[Donation], at: datetime) -> None:
    """The way back to every running donation of an address; at most one letter an hour."""
    rows = [(donation, manage_url(donation)) for donation in donations]
    outbox.enqueue(
        to=email,
        template="donations/links",
        context={"rows": rows},
        key=f"donation.links:{email.lower()}:{at:%Y%m%d%H}"[:200],
    )


def _send(donation: Donation, template: str, key: str, **more: object) -> None:
    context = {"donation": donation, "manage_url": manage_url(donation), **more}
    template, key = f"donations/{template}", f"donation.{key}"
    outbox.enqueue(to=donation.email, template=template, context=context, key=key)
