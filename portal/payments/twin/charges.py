"""Payment intents and their charges: money that was taken, or was refused."""

from __future__ import annotations

from typing import Any

from portal.payments.twin.cards import BANK, REFUSALS, method_details, method_id
from portal.payments.twin.events import emit
from portal.payments.twin.shapes import Body, listing, shaped
from portal.payments.twin.state import Change, new_id


def open_intent(change: Change, *, minor: int, currency: str, story: str, **fields: Any) -> Body:
    intent = shaped(
        "payment_intent",
        id=new_id("pi"),
        created=change.now,
        amount=minor,
        amount_received=0,
        currency=currency,
        status="requires_payment_method",
        payment_method_types=["card", "sepa_debit"],
        **fields,
    )
    change.add(intent, story)
    emit(change, "payment_intent.created", intent)
    return intent


def challenge(change: Change, intent: Body, card: str) -> Body:
    """The bank wants to ask the visitor first."""
    intent |= {
        "status": "requires_action",
        "payment_method": method_id(card),
        "last_payment_error": None,
        "next_action": {"type": "use_stripe_sdk", "use_stripe_sdk": {}},
    }
    change.save(intent)
    emit(change, "payment_intent.requires_action", intent)
    return intent


def promise(change: Change, intent: Body) -> Body:
    """A bank was told to pay; its answer comes later."""
    intent |= {"status": "processing", "payment_method": method_id(BANK)}
    change.save(intent)
    emit(change, "payment_intent.processing", intent)
    return intent


def succeed(change: Change, intent: Body, way: str) -> Body:
    """The money is there; gives the charge."""
    charge = _charge(change, intent, way)
    charge |= {"status": "succeeded", "paid": True, "captured": True}
    charge["amount_captured"] = intent["amount"]
    charge["balance_transaction"] = new_id("txn")
    change.save(charge)
    intent |= {
        "status": "succeeded",
        "amount_received": intent["amount"],
        "latest_charge": charge["id"],
        "last_payment_error": None,
        "next_action": None,
        "payment_method": method_id(way),
    }
    change.save(intent)
    emit(change, "charge.succeeded", charge)
    emit(change, "payment_intent.succeeded", intent)
    return charge


def fail(change: Change, intent: Body, way: str, code: str) -> Body:
    """The bank said no; the intent waits for another way to pay."""
    charge = _charge(change, intent, way)
    charge |= {"failure_code": code, "failure_message": REFUSALS[code]}
    change.save(charge)
    error = {"type": "card_error", "code": code, "message": REFUSALS[code], "charge": charge["id"]}
    intent |= {
        "status": "requires_payment_method",
        "latest_charge": charge["id"],
        "last_payment_error": error,
        "next_action": None,
        "payment_method": None,
    }
    change.save(intent)
    emit(change, "charge.failed", charge)
    emit(change, "payment_intent.payment_failed", intent)
    return charge


def cancel_intent(change: Change, intent_id: str | None) -> None:
    """Nobody can pay it any more; one that was paid or is unknown stays."""
    found = change.find("payment_intent", id=intent_id) if intent_id else []
    for intent in found:
        if intent["status"] not in {"succeeded", "canceled"}:
            intent |= {"status": "canceled", "canceled_at": change.now, "next_action": None}
            change.save(intent)
            emit(change, "payment_intent.canceled", intent)


def _charge(change: Change, intent: Body, way: str) -> Body:
    charge_id = new_id("ch")
    charge = shaped(
        "charge",
        id=charge_id,
        created=change.now,
        amount=intent["amount"],
        currency=intent["currency"],
        customer=intent["customer"],
        description=intent["description"],
        metadata=intent["metadata"],
        payment_intent=intent["id"],
        payment_method=method_id(way),
        payment_method_details=method_details(way),
        receipt_email=intent["receipt_email"],
        refunds=listing([], f"/v1/charges/{charge_id}/refunds"),
        billing_details=_billing(intent["receipt_email"]),
    )
    return change.add(charge, change.story_of(intent["id"]))


def _billing(email: str | None) -> Body:
    return {"address": None, "email": email, "name": None, "phone": None, "tax_id": None}
