"""A refund of what renews by itself: money would be taken again, so the renewal may end with it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from portal.accounts.models import User
from portal.donations.hosted import cancel
from portal.donations.models import Donation
from portal.members import renewing
from portal.members.actions.renewal_stop import NothingToStopError
from portal.members.models import Organisation
from portal.payments.models import Order, Subscription


def charged_again(order: Order) -> Subscription | None:
    """What takes money for it again, where something does."""
    subscription = order.subscription
    return subscription if subscription and subscription.renews_at() else None


def end_renewal(*, actor: User, order: Order, at: datetime, ends_support: bool) -> None:
    """As owner or donor would; a letter says so, or the one about the refund, where all goes back
    and the support ends. Raises ProviderError for a donation; the end of
    a support is told again by a sweep.
    """
    subscription = charged_again(order)
    if subscription is None:
        return
    organisation = Organisation.objects.filter(terms__order=order).first()
    if organisation is not None:
        with suppress(NothingToStopError):
            renewing.stop(
                actor=actor,
                organisation=organisation,
                subscription=subscription,
                at=at,
                is_told=not ends_support,
            )
    for donation in Donation.objects.filter(subscription=subscription):
        cancel(actor=actor, donation=donation, at=at)
