"""Where the end of a support meets the payment provider.

The cancellation is written first; the provider is told after it, and told again by a sweep until
it answers. Taking it back asks the provider first: what it does not take back, stands.
"""

from __future__ import annotations

import logging
from datetime import datetime

from portal.accounts.models import User
from portal.members.actions.cancellation import cancel_support, take_cancellation_back
from portal.members.models import Cancellation, Organisation
from portal.payments.actions.subscription import apply_subscription
from portal.payments.models import Subscription
from portal.payments.providers import ProviderError, provider

logger = logging.getLogger(__name__)


def end_support(
    *, actor: User, organisation: Organisation, reason: str, at: datetime
) -> Cancellation:
    """The last of what is cancelled. Raises NothingToEndError."""
    made = cancel_support(actor=actor, organisation=organisation, reason=reason, at=at)
    end_renewals(at=at, organisation=organisation)
    return made[-1]


def go_on(*, actor: User, organisation: Organisation, at: datetime) -> Cancellation:
    """Take it back. Raises TooLateError, and ProviderError before anything was changed."""
    for subscription in _to_keep(organisation, at):
        raw = provider().keep_subscription(subscription.subscription_id)
        apply_subscription(actor=actor, subscription=subscription, raw=raw, at=at)
    return take_cancellation_back(actor=actor, organisation=organisation, at=at)[-1]


def end_renewals(*, at: datetime, organisation: Organisation | None = None) -> int:
    """Have the provider take no more money for what was cancelled; how many it was told of."""
    told = 0
    for subscription in _to_end(organisation):
        try:
            raw = provider().cancel_subscription(subscription.subscription_id, at_period_end=True)
            apply_subscription(actor=None, subscription=subscription, raw=raw, at=at)
            told += 1
        except ProviderError as error:
            logger.warning("the renewal of %s is not ended yet: %s", subscription.pk, error)
    return told


def _to_end(organisation: Organisation | None) -> list[Subscription]:
    cancelled = Cancellation.objects.standing()
    if organisation is not None:
        cancelled = cancelled.of(organisation)
    found = Subscription.objects.renewing().filter(
        provider=provider().name, orders__term__in=cancelled.values("term")
    )
    return list(found.exclude(subscription_id="").distinct())


def _to_keep(organisation: Organisation, at: datetime) -> list[Subscription]:
    """Those that this cancellation ended; one that was ended before it, stays so."""
    ended = Cancellation.objects.undoable(at).of(organisation).filter(ends_renewal=True)
    found = Subscription.objects.filter(
        provider=provider().name,
        cancel_at_period_end=True,
        orders__term__in=ended.values("term"),
    )
    return list(found.exclude(pk__in=Subscription.objects.over()).distinct())
