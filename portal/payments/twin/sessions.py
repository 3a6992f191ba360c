"""What the twin does when it is asked for something: the part of Stripe's API that we use.

Requests are form-encoded with keys such as `line_items[0][price_data][currency]`, answers are
Stripe's objects, cut down to the fields that somebody reads.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import stripe

from portal.payments.twin.state import Body, Change, State, new_id

LIFETIME = 24 * 3600  # seconds that a session can be paid
ITEM = "line_items[0][price_data]"


class RequestError(Exception):
    """Answered with status 400 or 404 and Stripe's error object."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class Sessions:
    def __init__(self, state: State, own_url: str) -> None:
        self.state, self.own_url = state, own_url

    def create(self, form: Mapping[str, str], key: str) -> Body:
        """A new session; the same idempotency key gives the first one again."""
        body = self._new(form)
        with self.state.changing() as change:
            known = change.session_by_key(key) if key else None
            if known:
                return known
            change.add_session(body, key)
        return body

    def _new(self, form: Mapping[str, str]) -> Body:
        amount, currency = _number(form, f"{ITEM}[unit_amount]"), form.get(f"{ITEM}[currency]", "")
        if form.get("mode") != "payment" or amount <= 0 or len(currency) != 3:
            raise RequestError("mode must be payment, with one line of a positive amount")
        session_id, now = new_id("cs"), int(time.time())
        return {
            "id": session_id,
            "object": "checkout.session",
            "status": "open",
            "payment_status": "unpaid",
            "mode": "payment",
            "amount_total": amount * _number(form, "line_items[0][quantity]"),
            "currency": currency.lower(),
            "client_reference_id": form.get("client_reference_id"),
            "metadata": _nested(form, "metadata"),
            "customer": None,
            "customer_email": form.get("customer_email"),
            "payment_intent": None,
            "created": now,
            "expires_at": now + LIFETIME,
            "success_url": form.get("success_url", "").replace("{CHECKOUT_SESSION_ID}", session_id),
            "cancel_url": form.get("cancel_url"),
            "description": form.get(f"{ITEM}[product_data][name]", ""),
            "url": f"{self.own_url}/pay/{session_id}",
            "livemode": False,
        }

    def fetch(self, session_id: str) -> Body:
        """The session as it is now; one that nobody paid in time has expired."""
        body = self.state.session(session_id)
        if body is None:
            raise RequestError(f"No such checkout.session: '{session_id}'", 404)
        if body["status"] == "open" and body["expires_at"] < time.time():
            return self.expire(session_id)
        return body

    def expire(self, session_id: str) -> Body:
        with self.state.changing() as change:
            body = _open(change, session_id)
            body |= {"status": "expired", "url": None}
            _save(change, body, "checkout.session.expired")
        return body

    def pay(self, session_id: str) -> Body:
        """The card is good: money at once."""
        with self.state.changing() as change:
            body = _open(change, session_id)
            body |= _complete("paid")
            change.emit("payment_intent.succeeded", _intent(body), session_id, VERSION)
            _save(change, body, "checkout.session.completed")
        return body

    def decline(self, session_id: str) -> Body:
        """The card is refused; the session stays open for another one."""
        with self.state.changing() as change:
            body = _open(change, session_id)
            failed = _intent(body | {"payment_intent": new_id("pi")})
            failed |= {
                "status": "requires_payment_method",
                "last_payment_error": {"code": "card_declined", "type": "card_error"},
            }
            body["declined"] = True
            change.save_session(body)
            change.emit("payment_intent.payment_failed", failed, session_id, VERSION)
        return body

    def promise(self, session_id: str) -> Body:
        """A bank transfer was promised: the session is complete, the money is not there."""
        with self.state.changing() as change:
            body = _open(change, session_id)
            body |= _complete("unpaid")
            _save(change, body, "checkout.session.completed")
        return body

    def bank(self, session_id: str, *, arrived: bool) -> Body:
        """The bank's answer to a promise."""
        with self.state.changing() as change:
            body = _known(change, session_id)
            if body["status"] != "complete" or body["payment_status"] != "unpaid":
                raise RequestError("This session does not wait for a bank.")
            if body.get("bank_failed"):
                raise RequestError("The bank refused this payment already.")
            body |= {"payment_status": "paid"} if arrived else {"bank_failed": True}
            outcome = "async_payment_succeeded" if arrived else "async_payment_failed"
            _save(change, body, f"checkout.session.{outcome}")
        return body

    def refund(self, payment_ref: str, amount: int | None, key: str) -> Body:
        """Give money back, all that is left without an amount."""
        with self.state.changing() as change:
            known = change.refund_by_key(key) if key else None
            if known:
                return known
            session = change.session_of_payment(payment_ref)
            if session is None or session["payment_status"] != "paid":
                raise RequestError(f"No such payment_intent: '{payment_ref}'", 404)
            given = sum(refund["amount"] for refund in change.refunds(session["id"]))
            left = session["amount_total"] - given
            back = left if amount is None else amount
            if not 0 < back <= left:
                raise RequestError(f"Refund amount ({back}) is greater than what is left ({left})")
            body = {
                "id": new_id("re"),
                "object": "refund",
                "amount": back,
                "currency": session["currency"],
                "payment_intent": payment_ref,
                "status": "succeeded",
                "created": int(time.time()),
                "metadata": {},
            }
            change.add_refund(body, session["id"], key)
            change.emit("refund.created", body, session["id"], VERSION)
        return body


VERSION = stripe.api_version or ""


def _complete(payment_status: str) -> Body:
    return {
        "status": "complete",
        "payment_status": payment_status,
        "payment_intent": new_id("pi"),
        "url": None,
    }


def _save(change: Change, body: Body, event: str) -> None:
    change.save_session(body)
    change.emit(event, body, body["id"], VERSION)


def _known(change: Change, session_id: str) -> Body:
    body = change.session(session_id)
    if body is None:
        raise RequestError(f"No such checkout.session: '{session_id}'", 404)
    return body


def _open(change: Change, session_id: str) -> Body:
    body = _known(change, session_id)
    if body["status"] != "open":
        raise RequestError(f"This session is not open any more: it is {body['status']}.")
    return body


def _intent(session: Body) -> Body:
    return {
        "id": session["payment_intent"],
        "object": "payment_intent",
        "amount": session["amount_total"],
        "currency": session["currency"],
        "customer": None,
        "metadata": session["metadata"],
        "status": "succeeded",
    }


def _number(form: Mapping[str, str], name: str) -> int:
    text = form.get(name, "")
    if not text.isdigit():
        raise RequestError(f"{name} must be a whole number")
    return int(text)


def _nested(form: Mapping[str, str], name: str) -> dict[str, Any]:
    start = f"{name}["
    return {
        key[len(start) : -1]: value
        for key, value in form.items()
        if key.startswith(start) and key.endswith("]")
    }
