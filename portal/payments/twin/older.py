"""Events as an account sends them whose API version is of before 2025-03-31.

An invoice named its charge, its intent and its subscription itself, a subscription its period.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from portal.payments.twin.shapes import Body

if TYPE_CHECKING:
    from portal.payments.twin.state import Change

VERSION = "2024-06-20"


def event(change: Change, newer: Body) -> Body:
    thing = newer["data"]["object"]
    shapes = {"invoice": _invoice, "subscription": _subscription}
    reshape = shapes.get(thing["object"])
    shown = reshape(change, thing) if reshape else thing
    return newer | {"api_version": VERSION, "data": newer["data"] | {"object": shown}}


def _invoice(change: Change, invoice: Body) -> Body:
    old = {name: value for name, value in invoice.items() if name != "parent"}
    details = (invoice["parent"] or {}).get("subscription_details") or {}
    intent = _intent(change, invoice["id"])
    charges = change.find("charge", payment_intent=intent, paid=True) if intent else []
    return old | {
        "payment_intent": intent,
        "charge": charges[0]["id"] if charges else None,
        "subscription": details.get("subscription"),
        "subscription_details": {"metadata": details.get("metadata")} if details else None,
        "paid": invoice["status"] == "paid",
    }


def _intent(change: Change, invoice_id: str) -> str | None:
    payments = change.find("invoice_payment", invoice=invoice_id)
    return payments[0]["payment"]["payment_intent"] if payments else None


def _subscription(change: Change, subscription: Body) -> Body:
    items = [
        {name: value for name, value in item.items() if not name.startswith("current_period")}
        for item in subscription["items"]["data"]
    ]
    first = subscription["items"]["data"][0]
    return subscription | {
        "items": subscription["items"] | {"data": items},
        "current_period_start": first["current_period_start"],
        "current_period_end": first["current_period_end"],
    }
