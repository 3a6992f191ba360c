"""Our requests in Stripe's words; pure."""

from collections.abc import Mapping
from typing import Any

from portal.lib.money import Money
from portal.payments.events.fields import identity
from portal.payments.providers.requests import (
    CheckoutRequest,
    CustomerRequest,
    InvoiceRequest,
    Recurring,
)
from portal.payments.tax import UNION

Parameters = dict[str, Any]
PAYMENT_REFERENCE = "Payment reference"  # printed on the provider's invoice, at most 40 letters

# What Stripe calls the numbers of a country outside the Union; others it is not told.
TAX_ID_TYPES = {
    **dict.fromkeys(UNION, "eu_vat"),
    "GB": "gb_vat",
    "CH": "ch_vat",
    "NO": "no_vat",
    "IS": "is_vat",
    "LI": "li_vat",
}


def checkout(request: CheckoutRequest) -> Parameters:
    """A session of the hosted page, for one payment or for the first of many."""
    metadata = {"order": request.reference}
    who = (
        {"customer": request.customer_id}
        if request.customer_id
        else {"customer_email": request.email}
    )
    given: Parameters = {
        "client_reference_id": request.reference,
        "metadata": metadata,
        "success_url": request.success_url,
        "cancel_url": request.cancel_url,
        **who,
    }
    if request.recurring is None:
        line = _line(request.description, request.amount)
        intent = {"metadata": metadata}
        return given | {"mode": "payment", "line_items": [line], "payment_intent_data": intent}
    return given | _subscription(request, request.recurring)


def _subscription(request: CheckoutRequest, recurring: Recurring) -> Parameters:
    line = _line(request.description, recurring.price)
    line["price_data"]["recurring"] = {
        "interval": recurring.interval,
        "interval_count": recurring.interval_count,
    }
    metadata = {"subscription": recurring.subscription, "order": request.reference}
    return {
        "mode": "subscription",
        "line_items": [line],
        "subscription_data": {"metadata": metadata, "description": request.description},
    }


def price_change(subscription: Mapping[str, Any], price: Money) -> Parameters:
    """Another price for its one item, from the next period on."""
    [item] = subscription["items"]["data"]
    recurring = item["price"]["recurring"]
    wanted = {
        "currency": price.currency.lower(),
        "product": identity(item["price"]["product"]),
        "unit_amount": price.minor,
        "recurring": {
            "interval": recurring["interval"],
            "interval_count": recurring["interval_count"],
        },
    }
    items = [{"id": item["id"], "price_data": wanted, "quantity": 1}]
    return {"items": items, "proration_behavior": "none"}


def _line(description: str, amount: Money) -> Parameters:
    return {
        "quantity": 1,
        "price_data": {
            "currency": amount.currency.lower(),
            "unit_amount": amount.minor,
            "product_data": {"name": description},
        },
    }


def first_discount(request: CheckoutRequest) -> Parameters | None:
    """A coupon of the provider for what the first payment is lower than the others."""
    if request.recurring is None or request.amount == request.recurring.price:
        return None
    off = request.recurring.price - request.amount
    return {
        "duration": "once",
        "max_redemptions": 1,
        "amount_off": off.minor,
        "currency": off.currency.lower(),
        "name": request.description[:40],
        "metadata": {"order": request.reference},
    }


def customer(request: CustomerRequest) -> Parameters:
    address = {"address": {"country": request.country}} if request.country else {}
    return {
        "name": request.name,
        "email": request.email,
        "metadata": {"customer": request.reference},
        "tax_exempt": "reverse" if request.reverse_charge else "none",
        **address,
    }


def tax_id(country: str, number: str) -> Parameters | None:
    kind = TAX_ID_TYPES.get(country)
    return {"type": kind, "value": number} if kind and number else None


def invoice(request: InvoiceRequest) -> Parameters:
    currency = request.lines[0][1].currency.lower()
    return {
        "customer": request.customer_id,
        "collection_method": "send_invoice",
        "days_until_due": request.days_until_due,
        "currency": currency,
        "auto_advance": False,
        "pending_invoice_items_behavior": "exclude",
        "number": request.number,  # one debt, one number: on our paper and on theirs
        "metadata": {"order": request.reference, "invoice": request.number},
        "custom_fields": [{"name": PAYMENT_REFERENCE, "value": request.number}],
        **({"footer": request.remark} if request.remark else {}),
    }


def invoice_item(request: InvoiceRequest, invoice_id: str, line: tuple[str, Money]) -> Parameters:
    description, amount = line
    return {
        "customer": request.customer_id,
        "invoice": invoice_id,
        "description": description,
        "amount": amount.minor,
        "currency": amount.currency.lower(),
    }
