"""Asking the provider how something stands, outside of any transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from portal.payments.events.fields import identity
from portal.payments.providers import PaymentProvider

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A session, and the subscription and invoice that it began where it began one."""

    session: Raw
    subscription: Raw = field(default_factory=dict)
    invoice: Raw = field(default_factory=dict)


def asked_about(source: PaymentProvider, session: Raw) -> Asked:
    """`session` with what belongs to it. Raises ProviderError."""
    subscription, invoice = identity(session.get("subscription")), identity(session.get("invoice"))
    if not subscription:
        return Asked(session)
    return Asked(
        session,
        source.fetch_subscription(subscription),
        source.fetch_invoice(invoice).raw if invoice else {},
    )
