"""Sessions and invoices of a twin without a process, for what happens on their pages."""

from __future__ import annotations

from typing import Any

from portal.payments.twin import customers, invoices, sessions
from portal.payments.twin.events import written
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change

OWN_URL = "http://twin.example"
BACK = "http://portal.example/back/"


def open_session(change: Change, interval: str = "") -> Body:
    """Of 50 euros, once or for each `interval`."""
    price: dict[str, Any] = {"unit_amount": "5000", "currency": "eur"}
    if interval:
        price["recurring"] = {"interval": interval}
    form = {
        "mode": "subscription" if interval else "payment",
        "success_url": BACK,
        "cancel_url": BACK,
        "customer_email": "ada@donors.example",
        "line_items": {"0": {"quantity": "1", "price_data": price}},
        "subscription_data" if interval else "payment_intent_data": {"metadata": {"order": "o-1"}},
    }
    return sessions.create(change, form, OWN_URL)


def open_invoice(change: Change) -> Body:
    """Of 50 euros, to be paid by transfer or on its page."""
    customer = customers.create(change, {"email": "b@acme.example", "name": "Acme"})
    form = {"collection_method": "send_invoice", "currency": "eur", "days_until_due": "30"}
    draft = invoices.create(change, form | {"customer": customer["id"]}, OWN_URL)
    line = {"invoice": draft["id"], "amount": "5000", "currency": "eur"}
    invoices.create_item(change, line | {"customer": customer["id"]})
    return invoices.finalize(change, draft["id"])


def told(change: Change, kind: str) -> list[Body]:
    """The events of a kind, the oldest first."""
    return [event for event in reversed(written(change)) if event["type"] == kind]
