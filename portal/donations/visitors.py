"""Whose donation it is: the account's, and the browser's that holds its key.

The key comes into a session when the donation is made there, or through the link of a letter.
"""

from uuid import UUID

from django.http import HttpRequest

from portal.accounts.models import User
from portal.donations.letters import LINK_LASTS, MANAGE
from portal.donations.models import Donation, DonationQuerySet
from portal.lib import links

SESSION_KEY = "donations"
MOST = 20


def account(request: HttpRequest) -> User | None:
    """The account behind the request, where there is one: giving asks for none."""
    return request.user if isinstance(request.user, User) else None


def mine(request: HttpRequest) -> DonationQuerySet:
    """The donations that this visitor may open."""
    kept = [UUID(value) for value in request.session.get(SESSION_KEY, [])]
    found = Donation.objects.open_to(request.user, kept)
    return found.select_related("order", "subscription__customer")


def remember(request: HttpRequest, donation: Donation) -> None:
    kept = [str(donation.reference), *request.session.get(SESSION_KEY, [])]
    request.session[SESSION_KEY] = list(dict.fromkeys(kept))[:MOST]


def opened(token: str) -> Donation | None:
    """The donation that a letter's link names, unless it is too old or was changed."""
    reference = links.unsign(token, purpose=MANAGE, max_age=LINK_LASTS)
    return Donation.objects.filter(reference=reference).first() if reference else None
