"""The customer portal: card, subscriptions and invoices of one customer."""

from __future__ import annotations

from portal.payments.twin import customers, subscriptions
from portal.payments.twin.errors import RequestError
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change

KEPT_CARDS = ("good", "secured", "expiring")  # a bad one is not taken on


def customer_of(change: Change, session_id: str) -> Body:
    """Raises MissingError for an address that nobody was given."""
    session = change.get("billing_portal.session", session_id)
    return change.get("customer", session["customer"])


def press(change: Change, session_id: str, action: str, form: Form) -> None:
    customer = customer_of(change, session_id)
    if action == "card":
        _change_card(change, customer, str(form.get("card")))
    elif action in {"cancel", "keep"}:
        subscription = change.get("subscription", str(form.get("subscription")))
        if subscription["customer"] != customer["id"]:
            raise RequestError("This subscription is somebody else's.", 404)
        verb = subscriptions.cancel_at_end if action == "cancel" else subscriptions.keep
        verb(change, subscription["id"])
    else:
        raise RequestError("There is no such button.", 404)


def _change_card(change: Change, customer: Body, card: str) -> None:
    if card not in KEPT_CARDS:
        change.note(customer["id"], refused="card_declined")
        return
    change.note(customer["id"], refused="")
    customers.choose_card(change, customer["id"], card)
