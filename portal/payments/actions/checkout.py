"""Sessions of the hosted page: what we know of them, and what they say when they are asked."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.payments import events
from portal.payments.actions.payment import apply_fact
from portal.payments.models import Checkout, CheckoutState, Order


@transaction.atomic
def record_checkout(
    *, actor: User | None, order: Order, provider: str, session_id: str, url: str
) -> Checkout:
    """Keep the session that the provider opened for `order`; its event may have come before."""
    checkout, created = Checkout.objects.get_or_create(
        provider=provider, session_id=session_id, defaults={"order": order}
    )
    if checkout.url != url and checkout.state == CheckoutState.OPEN:
        Checkout.objects.filter(pk=checkout.pk).update(url=url)
        checkout.url = url
    if created:
        audit.record(actor=actor, verb="checkout.open", subject=order, session=session_id)
    return checkout


@transaction.atomic
def apply_session(*, checkout: Checkout, session: Mapping[str, Any], at: datetime) -> None:
    """Book what a fetched session says: the repair of a webhook that never came."""
    Checkout.objects.filter(pk=checkout.pk).update(asked_at=timezone.now())
    fact = events.read_session(session, at)
    if fact is not None:
        apply_fact(provider=checkout.provider, fact=fact)
