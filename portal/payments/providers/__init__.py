"""The payment provider contract: every money question of the portal goes through it.

Two implementations: Stripe, and the local twin, which speaks Stripe's language from a process of
its own. The event inbox reads what both deliver with the same readers (`portal/payments/events/`).
Every method may raise ProviderError.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings

from portal.lib.money import Money
from portal.payments.providers.requests import (
    CheckoutRequest,
    CustomerRequest,
    HostedCheckout,
    HostedInvoice,
    InvoiceRequest,
    Movement,
    Recurring,
)

__all__ = [
    "CheckoutRequest",
    "CustomerRequest",
    "HostedCheckout",
    "HostedInvoice",
    "InvoiceRequest",
    "Movement",
    "PaymentProvider",
    "ProviderError",
    "ProviderRefusedError",
    "Recurring",
    "SignatureError",
    "provider",
]

Raw = Mapping[str, Any]


class ProviderError(Exception):
    """The provider refused or could not be reached; trying again later may help."""


class ProviderRefusedError(ProviderError):
    """The provider understood and said no; asking the same again gives the same."""


class SignatureError(Exception):
    """A webhook that the provider did not sign, or signed too long ago."""


class PaymentProvider(Protocol):
    name: str
    simulated: bool
    livemode: bool  # of its events; a test's money is none

    # --- the hosted page ---

    def create_checkout(self, request: CheckoutRequest) -> HostedCheckout: ...

    def fetch_checkout(self, session_id: str) -> HostedCheckout: ...

    def expire_checkout(self, session_id: str) -> HostedCheckout:
        """End an open session; one that ended already is returned as it is."""
        ...

    # --- customers ---

    def create_customer(self, request: CustomerRequest) -> str:
        """The provider's id of a customer; asked twice for one reference, the same."""
        ...

    def add_tax_id(self, customer_id: str, country: str, number: str) -> bool:
        """Keep a checked VAT number with a customer; False where the provider knows no such."""
        ...

    def customer_portal(self, customer_id: str, return_url: str) -> str:
        """The address where a customer changes card and sees invoices."""
        ...

    # --- invoices ---

    def send_invoice(self, request: InvoiceRequest) -> HostedInvoice:
        """Open an invoice to be paid; asked twice for one number, the same."""
        ...

    def fetch_invoice(self, invoice_id: str) -> HostedInvoice: ...

    def void_invoice(self, invoice_id: str) -> HostedInvoice:
        """Nobody can pay it any more; one that is void or paid is returned as it is."""
        ...

    # --- subscriptions ---

    def fetch_subscription(self, subscription_id: str) -> Raw: ...

    def cancel_subscription(self, subscription_id: str, *, at_period_end: bool) -> Raw:
        """End it now or with its period; one that is over is returned as it is."""
        ...

    def keep_subscription(self, subscription_id: str) -> Raw:
        """Take back that it ends with its period."""
        ...

    def change_price(self, subscription_id: str, price: Money) -> Raw:
        """What each later period costs; nothing is taken or given back for the running one."""
        ...

    # --- money that goes back ---

    def refund(self, payment_ref: str, amount: Money, *, key: str) -> str:
        """Give money back: the refund's id; the ledger hears of it through the provider's event.

        `payment_ref` is the reference of the ledger's payment: an intent or an invoice. Asked
        twice within a day with one key, it is given back once.
        """
        ...

    def find_refund(self, payment_ref: str, *, key: str) -> str:
        """The id of the refund that was asked for with this key, however long ago; else empty."""
        ...

    # --- what happened ---

    def movements(self, since: datetime) -> Iterator[Movement]:
        """Payments, refunds and disputes of the account since a moment, for reconciliation."""
        ...

    def events_since(self, since: datetime) -> Iterator[dict[str, Any]]:
        """Events of that time as they were delivered, for those that were missed (30 days)."""
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
