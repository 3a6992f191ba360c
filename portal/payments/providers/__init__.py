"""The payment provider contract: every money question of the portal goes through it.

Two implementations: Stripe, and the local twin, which speaks Stripe's language from a process of
its own. The event inbox reads what both deliver with the same reader (`portal/payments/events.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings

from portal.lib.money import Money


class ProviderError(Exception):
    """The provider refused or could not be reached; trying again later may help."""


class SignatureError(Exception):
    """A webhook that the provider did not sign, or signed too long ago."""


@dataclass(frozen=True, slots=True)
class CheckoutRequest:
    """What the hosted page needs to know."""

    reference: str  # of the order; comes back in every event
    description: str
    amount: Money
    email: str
    success_url: str
    cancel_url: str
    attempt: int  # makes the request idempotent: the same attempt gives the same session


@dataclass(frozen=True, slots=True)
class HostedCheckout:
    """A session as the provider describes it: its address, and the object as it came."""

    session_id: str
    url: str
    raw: Mapping[str, Any]


class PaymentProvider(Protocol):
    name: str
    simulated: bool

    def create_checkout(self, request: CheckoutRequest) -> HostedCheckout: ...

    def fetch_checkout(self, session_id: str) -> HostedCheckout: ...

    def expire_checkout(self, session_id: str) -> HostedCheckout:
        """End an open session; one that ended already is returned as it is."""
        ...

    def refund(self, payment_ref: str, amount: Money, *, key: str) -> None:
        """Give money back; the ledger hears of it through the provider's event."""
        ...

    def verified_event(self, payload: bytes, signature: str) -> dict[str, Any]:
        """The event in a webhook's body. Raises SignatureError."""
        ...


def _stripe() -> PaymentProvider:
    from portal.payments.providers.stripe import StripeProvider

    return StripeProvider(settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET)


def _twin() -> PaymentProvider:
    from portal.payments.providers.twin import TwinProvider

    return TwinProvider(settings.TWIN_URL, settings.STRIPE_WEBHOOK_SECRET)


PROVIDERS: dict[str, Callable[[], PaymentProvider]] = {"stripe": _stripe, "twin": _twin}


def provider() -> PaymentProvider:
    """The provider of this installation: Stripe when there is a key, else the twin."""
    return PROVIDERS[settings.PAYMENT_PROVIDER]()
