"""Where the automatic renewal meets the payment provider, as the end of a support does.

The end of it is written first and told after, by a sweep if need be; its return asks first.
"""

from __future__ import annotations

import logging
from datetime import datetime

from portal.accounts.models import User
from portal.members.actions.renewal_stop import (
    check_resumable,
    note_resumed,
    note_told,
    stop_renewal,
)
from portal.members.models import Organisation, RenewalStop, Term
from portal.payments.actions.subscription import apply_subscription
from portal.payments.models import Subscription
from portal.payments.models.subscription import SubscriptionQuerySet
from portal.payments.providers import ProviderError, provider

logger = logging.getLogger(__name__)


def subscriptions_of(organisation: Organisation) -> SubscriptionQuerySet:
    """Those of this provider that began and are not over."""
    terms = Term.objects.filter(organisation=organisation)
    found = Subscription.objects.filter(provider=provider().name, orders__term__in=terms)
    begun = found.exclude(subscription_id="").exclude(pk__in=Subscription.objects.over())
    return begun.distinct()


def stop(
    *,
    actor: User,
    organisation: Organisation,
    subscription: Subscription,
    at: datetime,
    is_told: bool = True,
) -> None:
    """Raises NothingToStopError."""
    stop_renewal(
        actor=actor,
        organisation=organisation,
        subscription=subscription,
        at=at,
        is_told=is_told,
    )
    tell_of_stops(at=at, only=subscription)


def resume(
    *, actor: User, organisation: Organisation, subscription: Subscription, at: datetime
) -> None:
    """Raises NothingToResumeError, and ProviderError before anything was changed."""
    check_resumable(subscription=subscription, organisation=organisation)
    raw = provider().keep_subscription(subscription.subscription_id)
    apply_subscription(actor=actor, subscription=subscription, raw=raw, at=at)
    note_resumed(actor=actor, organisation=organisation, subscription=subscription, at=at)


def tell_of_stops(*, at: datetime, only: Subscription | None = None) -> int:
    """Have the provider take no more money where it was stopped; how many it was told of."""
    waiting = RenewalStop.objects.untold().filter(subscription__provider=provider().name)
    if only is not None:
        waiting = waiting.filter(subscription=only)
    told = 0
    for found in waiting.select_related("subscription"):
        subscription = found.subscription
        try:
            raw = provider().cancel_subscription(subscription.subscription_id, at_period_end=True)
            apply_subscription(actor=None, subscription=subscription, raw=raw, at=at)
            note_told(subscription=subscription, at=at)
            told += 1
        except ProviderError as error:
            logger.warning("the renewal of %s is not stopped yet: %s", subscription.pk, error)
    return told
