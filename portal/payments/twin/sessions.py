"""Sessions of the hosted page: for one payment, or for the first of a subscription."""

from __future__ import annotations

from typing import Any

from portal.lib.money import EXPONENTS
from portal.payments.twin import charges, customers, forms, invoices, subscriptions
from portal.payments.twin.cards import BANK
from portal.payments.twin.errors import RequestError
from portal.payments.twin.events import emit
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, shaped
from portal.payments.twin.state import Change, new_id

LIFETIME = 24 * 3600  # seconds that a session can be paid
INTERVALS = ("month", "year")


def create(change: Change, form: Form, own_url: str) -> Body:
    price = _price(change, form)
    customer_id = forms.text(form, "customer")
    customer = customers.known(change, customer_id) if customer_id else None
    coupon = forms.inner(form, "discounts", "0").get("coupon")
    off = customers.redeem(change, coupon, price["currency"]) if coupon else 0
    session_id, total = new_id("cs"), price["unit_amount"] - off
    if total < 0:
        raise RequestError("The discount is larger than the price.", param="discounts")
    given = forms.inner(form, "subscription_data" if price["recurring"] else "payment_intent_data")
    session = shaped(
        "checkout.session",
        id=session_id,
        created=change.now,
        expires_at=change.now + LIFETIME,
        status="open",
        payment_status="unpaid",
        mode=form["mode"],
        amount_subtotal=price["unit_amount"],
        amount_total=total,
        total_details={"amount_discount": off, "amount_shipping": 0, "amount_tax": 0},
        currency=price["currency"],
        client_reference_id=forms.text(form, "client_reference_id"),
        metadata=forms.inner(form, "metadata"),
        customer=customer_id,
        customer_email=forms.text(form, "customer_email"),
        payment_method_types=["card", "sepa_debit"],
        success_url=(form.get("success_url") or "").replace("{CHECKOUT_SESSION_ID}", session_id),
        cancel_url=forms.text(form, "cancel_url"),
        ui_mode="hosted_page",
        url=f"{own_url}/pay/{session_id}",
    )
    name = forms.text(forms.inner(form, "line_items", "0", "price_data", "product_data"), "name")
    email = customer["email"] if customer else session["customer_email"]
    change.add(
        session,
        price=price,
        off=off,
        description=name or "Payment",
        email=email or "",
        metadata=forms.inner(given, "metadata"),
    )
    return session


def _price(change: Change, form: Form) -> Body:
    """The price of the one line. Raises RequestError for what cannot be sold."""
    line = forms.inner(form, "line_items", "0")
    data = forms.inner(line, "price_data")
    minor = forms.number(data, "unit_amount", 0) * forms.number(line, "quantity", 0)
    currency, mode = (forms.text(data, "currency") or "").lower(), form.get("mode")
    recurring = forms.inner(data, "recurring")
    if mode not in {"payment", "subscription"} or minor <= 0 or currency.upper() not in EXPONENTS:
        raise RequestError("mode must be payment or subscription, with one line of an amount.")
    if (mode == "subscription") != (recurring.get("interval") in INTERVALS):
        raise RequestError("A subscription, and nothing else, recurs each month or year.")
    repeats: Body | None = None
    if recurring:
        count = forms.number(recurring, "interval_count", 1)
        repeats = {"interval": recurring["interval"], "interval_count": count}
        repeats |= {"meter": None, "usage_type": "licensed"}
    return shaped(
        "price",
        id=new_id("price"),
        active=True,
        created=change.now,
        currency=currency,
        product=new_id("prod"),
        recurring=repeats,
        type="recurring" if recurring else "one_time",
        unit_amount=minor,
        unit_amount_decimal=str(minor),
    )


# --- ended without money ---


def expire(change: Change, session_id: str) -> Body:
    session = open_one(change, session_id)
    session |= {"status": "expired", "url": None}
    change.save(session)
    charges.cancel_intent(change, change.notes(session_id).get("intent"))
    emit(change, "checkout.session.expired", session)
    return session


def open_one(change: Change, session_id: str) -> Body:
    session = change.get("checkout.session", session_id)
    if session["status"] != "open":
        raise RequestError(f"This session is not open any more: it is {session['status']}.")
    return session


# --- paid or promised ---


def pay(change: Change, session_id: str, way: str) -> Body:
    """The money is there."""
    session = open_one(change, session_id)
    if session["mode"] == "subscription":
        return _begin(change, session, way)
    charges.succeed(change, intent_of(change, session), way)
    return _complete(change, session, "paid")


def promise(change: Change, session_id: str) -> Body:
    """A bank payment was promised: the session is complete, the money is not there."""
    session = open_one(change, session_id)
    if session["mode"] == "subscription":
        raise RequestError("A subscription begins with a card.")
    charges.promise(change, intent_of(change, session))
    return _complete(change, session, "unpaid")


def bank(change: Change, session_id: str, *, arrived: bool) -> Body:
    """The bank's answer to a promise."""
    session = change.get("checkout.session", session_id)
    if session["status"] != "complete" or session["payment_status"] != "unpaid":
        raise RequestError("This session does not wait for a bank.")
    if change.notes(session_id).get("refused"):
        raise RequestError("The bank refused this payment already.")
    intent = change.get("payment_intent", session["payment_intent"])
    if arrived:
        charges.succeed(change, intent, BANK)
        session["payment_status"] = "paid"
    else:
        charges.fail(change, intent, BANK, "bank_refused")
        change.note(session_id, refused="bank_refused")
    change.save(session)
    outcome = "async_payment_succeeded" if arrived else "async_payment_failed"
    emit(change, f"checkout.session.{outcome}", session)
    return session


def intent_of(change: Change, session: Body) -> Body:
    """The one of this session, made with the first attempt."""
    notes = change.notes(session["id"])
    if notes.get("intent"):
        return change.get("payment_intent", notes["intent"])
    intent = charges.open_intent(
        change,
        minor=session["amount_total"],
        currency=session["currency"],
        story=session["id"],
        customer=session["customer"],
        description=notes["description"],
        receipt_email=notes["email"],
        metadata=notes["metadata"] if session["mode"] == "payment" else {},
    )
    change.note(session["id"], intent=intent["id"])
    return intent


def _begin(change: Change, session: Body, card: str) -> Body:
    """The subscription, its first invoice, and the money for it."""
    notes = change.notes(session["id"])
    own_url = (session["url"] or "").partition("/pay/")[0]
    customer_id = session["customer"] or _new_customer(change, notes["email"])
    customer = customers.choose_card(change, customer_id, card)
    subscription = subscriptions.begin(
        change,
        customer,
        notes["price"],
        metadata=notes["metadata"],
        description=notes["description"],
    )
    invoice = subscriptions.bill(change, subscription, own_url, off=notes["off"])
    charges.cancel_intent(change, notes.get("intent"))
    invoices.pay(change, invoice["id"], card)
    subscriptions.settled(change, subscription["id"])
    session |= {
        "customer": customer_id,
        "subscription": subscription["id"],
        "invoice": invoice["id"],
    }
    return _complete(change, session, "paid" if session["amount_total"] else "no_payment_required")


def _new_customer(change: Change, email: str) -> str:
    customer: dict[str, Any] = customers.create(change, {"email": email, "name": email})
    return str(customer["id"])


def _complete(change: Change, session: Body, payment_status: str) -> Body:
    notes = change.notes(session["id"])
    session |= {
        "status": "complete",
        "payment_status": payment_status,
        "payment_intent": notes.get("intent") if session["mode"] == "payment" else None,
        "customer_details": _details(notes["email"]),
        "url": None,
    }
    change.save(session)
    change.note(session["id"], refused="", challenge="")
    emit(change, "checkout.session.completed", session)
    return session


def _details(email: str) -> Body:
    names = ("address", "business_name", "individual_name", "name", "phone", "tax_ids")
    return dict.fromkeys(names) | {"email": email, "tax_exempt": "none"}
