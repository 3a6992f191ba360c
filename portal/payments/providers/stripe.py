"""Stripe through its official SDK, at the API version that the SDK is made for."""

import json
from typing import Any

import stripe

from portal.lib.money import Money
from portal.payments.providers import (
    CheckoutRequest,
    HostedCheckout,
    ProviderError,
    SignatureError,
)

TOLERANCE = 300  # seconds that a signature is good for, as Stripe recommends
TIMEOUT = 15
RETRIES = 2


class StripeProvider:
    """Hosted Checkout, one-off payments. `base_url` leads to another speaker of the same API."""

    name = "stripe"
    simulated = False

    def __init__(self, key: str, webhook_secret: str, *, base_url: str = "") -> None:
        self._secret = webhook_secret
        self._client = stripe.StripeClient(
            key,
            base_addresses={"api": base_url} if base_url else None,
            http_client=stripe.RequestsClient(timeout=TIMEOUT),
            max_network_retries=RETRIES,
        )

    def create_checkout(self, request: CheckoutRequest) -> HostedCheckout:
        params: Any = {
            "mode": "payment",
            "client_reference_id": request.reference,
            "metadata": {"order": request.reference},
            "payment_intent_data": {"metadata": {"order": request.reference}},
            "customer_email": request.email,
            "line_items": [
                {
                    "quantity": 1,
                    "price_data": {
                        "currency": request.amount.currency.lower(),
                        "unit_amount": request.amount.minor,
                        "product_data": {"name": request.description},
                    },
                }
            ],
            "success_url": request.success_url,
            "cancel_url": request.cancel_url,
        }
        key = f"checkout-{request.reference}-{request.attempt}"
        try:
            session = self._client.v1.checkout.sessions.create(params, {"idempotency_key": key})
        except stripe.StripeError as error:
            raise ProviderError(str(error)) from error
        return _hosted(session)

    def fetch_checkout(self, session_id: str) -> HostedCheckout:
        try:
            return _hosted(self._client.v1.checkout.sessions.retrieve(session_id))
        except stripe.StripeError as error:
            raise ProviderError(str(error)) from error

    def expire_checkout(self, session_id: str) -> HostedCheckout:
        try:
            return _hosted(self._client.v1.checkout.sessions.expire(session_id))
        except stripe.InvalidRequestError:  # it is not open any more
            return self.fetch_checkout(session_id)
        except stripe.StripeError as error:
            raise ProviderError(str(error)) from error

    def refund(self, payment_ref: str, amount: Money, *, key: str) -> None:
        params: Any = {"payment_intent": payment_ref, "amount": amount.minor}
        try:
            self._client.v1.refunds.create(params, {"idempotency_key": key})
        except stripe.StripeError as error:
            raise ProviderError(str(error)) from error

    def verified_event(self, payload: bytes, signature: str) -> dict[str, Any]:
        try:
            text = payload.decode()
            stripe.WebhookSignature.verify_header(text, signature, self._secret, TOLERANCE)
            event = json.loads(text)
        except (stripe.SignatureVerificationError, ValueError) as error:
            raise SignatureError(str(error)) from error
        if not isinstance(event, dict) or not event.get("id") or not event.get("type"):
            raise SignatureError("a signed body that is no event")
        return event


def _hosted(session: stripe.checkout.Session) -> HostedCheckout:
    return HostedCheckout(session.id, session.url or "", session.to_dict())
