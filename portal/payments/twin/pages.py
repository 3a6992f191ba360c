"""The pages of the twin: hosted ones for visitors, and a desk with everything it can play."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string

from portal.payments.twin import events, stories
from portal.payments.twin import portal_page as customer_portal
from portal.payments.twin.cards import CARDS, REFUSALS
from portal.payments.twin.errors import RequestError
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change
from portal.payments.twin.stories import moment, money

SHOWN = 30  # of each kind on the desk


# --- for visitors ---


def payment_page(change: Change, session: Body) -> str:
    notes = change.notes(session["id"])
    price = notes["price"]
    return _page(
        "pay",
        session=session,
        amount=money(session["amount_total"], session["currency"]),
        full=money(session["amount_subtotal"], session["currency"]),
        off=money(-notes["off"], session["currency"]) if notes["off"] else None,
        interval=(price["recurring"] or {}).get("interval", ""),
        description=notes["description"],
        email=notes["email"],
        refused=REFUSALS.get(notes.get("refused", ""), ""),
    )


def challenge_page(change: Change, payable: Body) -> str:
    card = change.notes(payable["id"]).get("challenge")
    if not card or payable["status"] != "open":
        raise RequestError("The bank does not ask anything.")
    minor = payable["amount_due" if payable["object"] == "invoice" else "amount_total"]
    amount = money(minor, payable["currency"])
    return _page("challenge", amount=amount, last4=CARDS[card].last4)


def invoice_page(change: Change, invoice: Body) -> str:
    currency, notes = invoice["currency"], change.notes(invoice["id"])
    lines = [
        {"description": line["description"], "amount": money(line["amount"], currency)}
        for line in invoice["lines"]["data"]
    ]
    paid_at = invoice["status_transitions"]["paid_at"]
    due_at = invoice["due_date"]
    return _page(
        "invoice",
        invoice=invoice,
        lines=lines,
        total=money(invoice["total"], currency),
        due_at=moment(due_at) if due_at else None,
        overdue=bool(due_at and due_at < change.now),
        paid_at=moment(paid_at) if paid_at else None,
        by_transfer=invoice["collection_method"] == "send_invoice",
        refused=REFUSALS.get(notes.get("refused", ""), ""),
    )


def portal_page(change: Change, session_id: str) -> str:
    customer = customer_portal.customer_of(change, session_id)
    session = change.get("billing_portal.session", session_id)
    notes = change.notes(customer["id"])
    card = CARDS.get(notes.get("card", ""))
    subscriptions = change.find("subscription", customer=customer["id"])
    rows = change.find("invoice", customer=customer["id"])
    return _page(
        "portal",
        address=f"/portal/{session_id}",
        return_url=session["return_url"],
        customer=customer,
        card=card,
        refused=REFUSALS.get(notes.get("refused", ""), ""),
        subscriptions=[stories.subscription(change, row) for row in reversed(subscriptions)],
        invoices=[
            stories.invoice(change, row) for row in reversed(rows) if row["status"] != "draft"
        ],
    )


def message_page(title: str, text: str, back: str = "") -> str:
    return _page("message", title=title, text=text, back=back)


# --- the desk ---


def desk_page(change: Change) -> str:
    waiting, held = events.waiting(change)
    sessions = change.newest("checkout.session", SHOWN)
    return _page(
        "desk",
        sessions=[stories.session(change, row) for row in sessions],
        invoices=[stories.invoice(change, row) for row in change.newest("invoice", SHOWN)],
        subscriptions=[
            stories.subscription(change, row) for row in change.newest("subscription", SHOWN)
        ],
        mode=events.delivery_mode(change),
        shape=change.setting("shape", "newest"),
        waiting=waiting,
        held=held,
        now=moment(change.now),
        ahead=int(change.setting("ahead", "0")) > stories.DAY / 2,
    )


def story_page(change: Change, story: str) -> str:
    """One session, invoice or subscription: its money, what can happen next, what happened."""
    return _page("story", **stories.whole(change, story), events=stories.told(change, story))


def policy(*origins: str) -> str:
    """The strict policy of the portal's own pages; forms may lead back to it."""
    allowed = " ".join(["'self'", *origins])
    return (
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
        f" frame-ancestors 'none'; form-action {allowed}"
    )


def origin(url: str | None) -> str:
    parts = urlsplit(url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _page(name: str, **context: Any) -> str:
    return render_to_string(
        f"payments/twin/{name}.html", {"foundation_name": settings.FOUNDATION_NAME, **context}
    )
