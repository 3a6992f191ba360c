"""What a visitor does on the hosted page of a session or an invoice, and where it leads."""

from __future__ import annotations

from portal.payments.twin import charges, customers, invoices, sessions, subscriptions
from portal.payments.twin.cards import BANK, CARDS
from portal.payments.twin.errors import RequestError
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change

UNCONFIRMED = "payment_intent_authentication_failure"
# What the forms of the hosted pages send.
WAYS = {
    "paid": "good",
    "secured": "secured",
    "declined": "bad",
    "expiring": "expiring",
    "unpaid": BANK,
}


def choose(change: Change, payable: Body, outcome: str) -> str:
    """The address to go on at."""
    if outcome not in WAYS:
        raise RequestError("Choose how to pay.")
    way = WAYS[outcome]
    card = CARDS.get(way)
    if card is None:
        sessions.promise(change, payable["id"])
        return str(payable["success_url"])
    if card.charged_now:
        return _refused(change, payable, way, card.charged_now)
    if card.secured:
        charges.challenge(change, _intent(change, payable), way)
        change.note(payable["id"], challenge=way, refused="")
        return f"/challenge/{payable['id']}"
    return _paid(change, payable, way)


def confirm(change: Change, payable: Body, *, is_me: bool) -> str:
    """What the visitor answered the bank; the address to go on at."""
    card = change.notes(payable["id"]).get("challenge")
    if not card or payable["status"] != "open":
        raise RequestError("The bank does not ask anything.")
    if is_me:
        return _paid(change, payable, card)
    return _refused(change, payable, card, UNCONFIRMED)


def page_of(payable: Body) -> str:
    folder = "invoices" if payable["object"] == "invoice" else "pay"
    return f"/{folder}/{payable['id']}"


def _intent(change: Change, payable: Body) -> Body:
    if payable["object"] == "invoice":
        return invoices.payment_of(change, payable)[1]
    return sessions.intent_of(change, payable)


def _refused(change: Change, payable: Body, card: str, code: str) -> str:
    """It can be tried again with another card."""
    if payable["object"] == "invoice":
        again_at = payable["next_payment_attempt"]
        invoices.refuse(change, payable["id"], card, code, again_at=again_at)
    else:
        charges.fail(change, _intent(change, payable), card, code)
    change.note(payable["id"], challenge="", refused=code)
    return page_of(payable)


def _paid(change: Change, payable: Body, card: str) -> str:
    change.note(payable["id"], challenge="", refused="")
    if payable["object"] != "invoice":
        sessions.pay(change, payable["id"], card)
        return str(payable["success_url"])
    invoices.pay(change, payable["id"], card)
    subscription = subscriptions.subscription_of(payable)
    if subscription:
        customers.choose_card(change, payable["customer"], card)
        subscriptions.settled(change, subscription)
    return page_of(payable)
