"""Stripe through its official SDK, at the API version that the SDK is made for."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import stripe

from portal.lib.money import Money
from portal.payments.events.fields import identity, storable
from portal.payments.providers import (
    CheckoutRequest,
    CustomerRequest,
    HostedCheckout,
    HostedInvoice,
    InvoiceRequest,
    Movement,
    ProviderError,
    ProviderRefusedError,
    SignatureError,
    movements,
    parameters,
)

TOLERANCE = 300  # seconds that a signature is good for, as Stripe recommends
TIMEOUT = 15
RETRIES = 2
PAGE = 100  # rows of a list in one request; the SDK asks for the next
INVOICE = "in_"  # what names of invoices begin with
LIVE = ("sk_live_", "rk_live_")  # what keys begin with that move real money

Parameters = Any  # the SDK's TypedDicts; stripe-mock checks what we send


@contextmanager
def asking() -> Iterator[None]:
    """The SDK's errors as ours."""
    try:
        yield
    except stripe.InvalidRequestError as error:
        raise ProviderRefusedError(str(error)) from error
    except stripe.StripeError as error:
        raise ProviderError(str(error)) from error


class StripeProvider:
    """`base_url` leads to another speaker of the same API."""

    name = "stripe"
    simulated = False

    def __init__(self, key: str, webhook_secret: str, *, base_url: str = "") -> None:
        self._secret = webhook_secret
        self.livemode = key.startswith(LIVE)
        self._client = stripe.StripeClient(
            key,
            base_addresses={"api": base_url} if base_url else None,
            http_client=stripe.RequestsClient(timeout=TIMEOUT),
            max_network_retries=RETRIES,
        )
        self._api = self._client.v1

    # --- the hosted page ---

    def create_checkout(self, request: CheckoutRequest) -> HostedCheckout:
        params: Parameters = parameters.checkout(request)
        key = f"checkout-{request.reference}-{request.attempt}"
        with asking():
            discount: Parameters = parameters.first_discount(request)
            if discount is not None:
                coupon = self._api.coupons.create(discount, _once(f"{key}-discount"))
                params["discounts"] = [{"coupon": coupon.id}]
            return _hosted(self._api.checkout.sessions.create(params, _once(key)))

    def fetch_checkout(self, session_id: str) -> HostedCheckout:
        with asking():
            return _hosted(self._api.checkout.sessions.retrieve(session_id))

    def expire_checkout(self, session_id: str) -> HostedCheckout:
        try:
            with asking():
                return _hosted(self._api.checkout.sessions.expire(session_id))
        except ProviderRefusedError:  # it is not open any more
            return self.fetch_checkout(session_id)

    # --- customers ---

    def create_customer(self, request: CustomerRequest) -> str:
        params: Parameters = parameters.customer(request)
        with asking():
            return self._api.customers.create(params, _once(f"customer-{request.reference}")).id

    def add_tax_id(self, customer_id: str, country: str, number: str) -> bool:
        params: Parameters = parameters.tax_id(country, number)
        if params is None:
            return False
        with asking():
            key = _once(f"tax-{customer_id}-{number}")
            self._api.customers.tax_ids.create(customer_id, params, key)
        return True

    def customer_portal(self, customer_id: str, return_url: str) -> str:
        with asking():
            session = self._api.billing_portal.sessions.create(
                {"customer": customer_id, "return_url": return_url}
            )
        return session.url

    # --- invoices ---

    def send_invoice(self, request: InvoiceRequest) -> HostedInvoice:
        key = f"invoice-{request.number}-{request.reference}"
        draft = self._drawn_up(request, key)
        known = len(draft.lines.data)  # of an earlier request
        with asking():
            for place, line in list(enumerate(request.lines))[known:]:
                item: Parameters = parameters.invoice_item(request, draft.id, line)
                self._api.invoice_items.create(item, _once(f"{key}-{place}"))
        try:
            with asking():
                return _invoice(self._api.invoices.finalize_invoice(draft.id))
        except ProviderRefusedError:  # an earlier request got that far
            return self.fetch_invoice(draft.id)

    def _drawn_up(self, request: InvoiceRequest, key: str) -> stripe.Invoice:
        """The invoice under our number; under one of theirs where that is taken in the account."""
        params: Parameters = parameters.invoice(request)
        try:
            with asking():
                return self._api.invoices.create(params, _once(key))
        except ProviderRefusedError:
            known = self._known_invoice(request)
        if known is not None:
            return known
        del params["number"]
        with asking():
            return self._api.invoices.create(params, _once(f"{key}-theirs"))

    def _known_invoice(self, request: InvoiceRequest) -> stripe.Invoice | None:
        """What an earlier request made, longer ago than keys are remembered."""
        listing: Parameters = {"customer": request.customer_id, "limit": PAGE}
        with asking():
            for invoice in self._api.invoices.list(listing).auto_paging_iter():
                about = invoice.to_dict().get("metadata") or {}
                if about.get("invoice") == request.number and invoice.status != "void":
                    return invoice
        return None

    def fetch_invoice(self, invoice_id: str) -> HostedInvoice:
        with asking():
            # By which intent it was paid is told only when asked for.
            return _invoice(self._api.invoices.retrieve(invoice_id, {"expand": ["payments"]}))

    def void_invoice(self, invoice_id: str) -> HostedInvoice:
        try:
            with asking():
                return _invoice(self._api.invoices.void_invoice(invoice_id))
        except ProviderRefusedError:  # it is void or paid
            return self.fetch_invoice(invoice_id)

    # --- subscriptions ---

    def fetch_subscription(self, subscription_id: str) -> Mapping[str, Any]:
        with asking():
            return self._api.subscriptions.retrieve(subscription_id).to_dict()

    def cancel_subscription(
        self, subscription_id: str, *, at_period_end: bool
    ) -> Mapping[str, Any]:
        if at_period_end:
            return self._end_with_period(subscription_id, ends=True)
        try:
            with asking():
                return self._api.subscriptions.cancel(subscription_id).to_dict()
        except ProviderRefusedError:  # it is over
            return self.fetch_subscription(subscription_id)

    def keep_subscription(self, subscription_id: str) -> Mapping[str, Any]:
        return self._end_with_period(subscription_id, ends=False)

    def change_price(self, subscription_id: str, price: Money) -> Mapping[str, Any]:
        with asking():
            known = self._api.subscriptions.retrieve(subscription_id).to_dict()
            params: Parameters = parameters.price_change(known, price)
            return self._api.subscriptions.update(subscription_id, params).to_dict()

    def _end_with_period(self, subscription_id: str, *, ends: bool) -> Mapping[str, Any]:
        try:
            with asking():
                changed = self._api.subscriptions.update(
                    subscription_id, {"cancel_at_period_end": ends}
                )
                return changed.to_dict()
        except ProviderRefusedError:  # it is over
            return self.fetch_subscription(subscription_id)

    # --- money that goes back ---

    def refund(self, payment_ref: str, amount: Money, *, key: str) -> str:
        with asking():
            params: Parameters = {
                "payment_intent": self._intent(payment_ref),
                "amount": amount.minor,
                "metadata": {"request": key},
            }
            return self._api.refunds.create(params, _once(key)).id

    def find_refund(self, payment_ref: str, *, key: str) -> str:
        with asking():
            listing: Parameters = {"payment_intent": self._intent(payment_ref), "limit": PAGE}
            for refund in self._api.refunds.list(listing).auto_paging_iter():
                if (refund.to_dict().get("metadata") or {}).get("request") == key:
                    return str(refund.id)
        return ""

    def _intent(self, payment_ref: str) -> str:
        """The intent that paid an invoice; every other reference is one."""
        if not payment_ref.startswith(INVOICE):
            return payment_ref
        rows = self._api.invoice_payments.list({"invoice": payment_ref, "status": "paid"}).data
        intents = [identity(row.payment.to_dict().get("payment_intent")) for row in rows]
        found = next((intent for intent in intents if intent), "")
        if not found:
            raise ProviderRefusedError(f"{payment_ref} was not paid through the provider")
        return found

    # --- what happened ---

    def movements(self, since: datetime) -> Iterator[Movement]:
        listing: Parameters = {"created": {"gte": int(since.timestamp())}, "limit": PAGE}
        with asking():
            for charge in self._api.charges.list(listing).auto_paging_iter():
                yield from movements.of_charge(charge.to_dict())
            for refund in self._api.refunds.list(listing).auto_paging_iter():
                yield from movements.of_refund(refund.to_dict())
            for dispute in self._api.disputes.list(listing).auto_paging_iter():
                yield from movements.of_dispute(dispute.to_dict())

    def events_since(self, since: datetime) -> Iterator[dict[str, Any]]:
        listing: Parameters = {"created": {"gte": int(since.timestamp())}, "limit": PAGE}
        with asking():
            for event in self._api.events.list(listing).auto_paging_iter():
                yield storable(event.to_dict())

    def verified_event(self, payload: bytes, signature: str) -> dict[str, Any]:
        try:
            text = payload.decode()
            stripe.WebhookSignature.verify_header(text, signature, self._secret, TOLERANCE)
            event = json.loads(text, parse_constant=_refuse)
            if "\\u" in text:  # nothing else writes what a database does not keep
                event = storable(event)
        except (stripe.SignatureVerificationError, ValueError, TypeError, RecursionError) as error:
            # TypeError: a header with letters that no digest has
            raise SignatureError(str(error)) from error
        if not isinstance(event, dict) or not event.get("id") or not event.get("type"):
            raise SignatureError("a signed body that is no event")
        return event


def _refuse(word: str) -> None:
    """NaN and Infinity, which no database keeps as JSON."""
    raise ValueError(f"{word} is no number")


def _once(key: str) -> Any:
    """The same key gives the same answer, however often a request is sent."""
    return {"idempotency_key": key}


def _hosted(session: stripe.checkout.Session) -> HostedCheckout:
    return HostedCheckout(session.id, session.url or "", session.to_dict())


def _invoice(invoice: stripe.Invoice) -> HostedInvoice:
    return HostedInvoice(invoice.id, invoice.hosted_invoice_url or "", invoice.to_dict())
