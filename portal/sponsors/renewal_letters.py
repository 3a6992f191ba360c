"""The letters about the end of a term and what follows it, to billing contacts and owners."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from portal.lib import links, outbox
from portal.members.correspondence import about
from portal.members.models import Contact, Term
from portal.payments.models import FailedCharge, Subscription
from portal.sponsors.payers import payers

RENEW = "sponsors.renew"
LINK_LASTS = timedelta(days=180)  # from sixty days before the end to long after the grace


def renewal_url(term: Term) -> str:
    """A signed address that opens the renewal of this term without a login."""
    token = links.sign(str(term.pk), purpose=RENEW)
    return f"{settings.BASE_URL}/join/renew/{token}/"


def ends(term: Term, days: int) -> None:
    """It ends, or has ended, and nobody renewed it: how to."""
    _send(term, "renewal", f"renewal:{term.pk}:{days}", days=days)


def will_be_charged(term: Term, subscription: Subscription, days: int) -> None:
    _send(term, "renewal_charge", f"renewal:{term.pk}:{days}", subscription=subscription)


def lapsed(term: Term, *, cancelled: bool) -> None:
    _send(term, "lapsed", f"renewal:{term.pk}:lapsed", cancelled=cancelled)


def charge_failed(term: Term, charge: FailedCharge) -> None:
    """Once for each period, however often it is tried."""
    key = f"renewal.charge:{charge.provider}:{charge.provider_invoice_id}"
    _send(term, "charge_failed", key, charge=charge)


def _send(term: Term, template: str, key: str, **more: object) -> None:
    for contact in payers(term.organisation):
        context = {
            "term": term,
            "contact": contact,
            "renewal_url": renewal_url(term),
            "page_url": own_page(term),
            **more,
        }
        outbox.enqueue(
            to=contact.email,
            template=f"sponsors/{template}",
            context=context,
            key=_key(key, contact),
            about=about(term.organisation),
        )


def _key(key: str, contact: Contact) -> str:
    return f"{key}:{contact.email.lower()}"[:200]


def own_page(term: Term) -> str:
    return f"{settings.BASE_URL}/organisation/{term.organisation.slug}/"
