"""Customers, their tax numbers, and coupons for them."""

from __future__ import annotations

from portal.payments.twin import forms
from portal.payments.twin.cards import method_id
from portal.payments.twin.errors import MissingError, RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, shaped
from portal.payments.twin.state import Change, new_id

GREECE = ("GR", "EL")  # the country, and what its VAT numbers begin with


def create(change: Change, form: Form) -> Body:
    address = forms.inner(form, "address")
    lines = ("city", "country", "line1", "line2", "postal_code", "state")
    customer = shaped(
        "customer",
        id=new_id("cus"),
        created=change.now,
        name=forms.text(form, "name"),
        email=forms.text(form, "email"),
        metadata=forms.inner(form, "metadata"),
        tax_exempt=form.get("tax_exempt", "none"),
        address={line: address.get(line) for line in lines} if address else None,
        delinquent=False,
        invoice_settings=_settings(None),
    )
    change.add(customer)
    emit(change, "customer.created", customer)
    return customer


def known(change: Change, customer_id: str) -> Body:
    """A customer named in the body of a request, not in its address."""
    try:
        return change.get("customer", customer_id)
    except MissingError as error:
        raise RequestError(error.message, code=error.code, param="customer") from error


def choose_card(change: Change, customer_id: str, card: str) -> Body:
    """The card that renewals are taken from."""
    customer = change.get("customer", customer_id)
    before = customer["invoice_settings"]
    customer["invoice_settings"] = _settings(method_id(card))
    change.save(customer)
    change.note(customer_id, card=card)
    emit(change, "customer.updated", customer, {"invoice_settings": before})
    return customer


def _settings(method: str | None) -> Body:
    return {
        "custom_fields": None,
        "default_payment_method": method,
        "footer": None,
        "rendering_options": None,
    }


def add_tax_id(change: Change, customer_id: str, form: Form) -> Body:
    change.get("customer", customer_id)
    kind, value = forms.text(form, "type"), forms.text(form, "value")
    if kind is None or value is None:
        raise RequestError("Missing required param: type and value.", param="type")
    country = "GR" if value[:2].upper() == GREECE[1] else value[:2].upper()
    if kind == "eu_vat" and not (value[:2].isalpha() and value[2:].isalnum() and len(value) > 7):
        raise RequestError("Invalid value for eu_vat.", code="tax_id_invalid", param="value")
    tax_id = shaped(
        "tax_id",
        id=new_id("txi"),
        created=change.now,
        customer=customer_id,
        type=kind,
        value=value,
        country=country if kind == "eu_vat" else kind[:2].upper(),
        owner={"type": "customer", "customer": customer_id},
        verification={"status": "verified", "verified_address": None, "verified_name": None},
    )
    change.add(tax_id, customer_id)
    emit(change, "customer.tax_id.created", tax_id)
    return tax_id


def create_coupon(change: Change, form: Form) -> Body:
    """An amount off the first payment; the only kind that the portal asks for."""
    off, currency = forms.number(form, "amount_off"), forms.text(form, "currency")
    if off <= 0 or currency is None or form.get("duration") != "once":
        raise RequestError("A coupon needs duration=once, amount_off and currency.")
    coupon = shaped(
        "coupon",
        id=new_id("coupon"),
        created=change.now,
        amount_off=off,
        currency=currency.lower(),
        duration="once",
        max_redemptions=forms.number(form, "max_redemptions", 0) or None,
        name=forms.text(form, "name"),
        metadata=forms.inner(form, "metadata"),
        valid=True,
    )
    change.add(coupon)
    emit(change, "coupon.created", coupon)
    return coupon


def redeem(change: Change, coupon_id: str, currency: str) -> int:
    """The amount that a coupon takes off. Raises RequestError when it cannot be used."""
    try:
        coupon = change.get("coupon", coupon_id)
    except MissingError as error:
        raise RequestError(error.message, code=error.code, param="discounts") from error
    if not coupon["valid"] or coupon["currency"] != currency:
        raise RequestError(f"Coupon {coupon_id} is used up or of another currency.")
    coupon["times_redeemed"] += 1
    coupon["valid"] = coupon["times_redeemed"] != coupon["max_redemptions"]
    change.save(coupon)
    return int(coupon["amount_off"])
