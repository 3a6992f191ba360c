"""What the twin's pages show of its things: in words, with the buttons that make sense now."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from portal.lib.money import Money
from portal.payments.twin import disputes, events
from portal.payments.twin import subscriptions as periods
from portal.payments.twin.errors import MissingError
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change

DAY = 24 * 3600
Shown = dict[str, Any]


def money(minor: int, currency: str) -> Money:
    return Money(minor, currency.upper())


def moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


# --- one line each ---


def session(change: Change, body: Body) -> Shown:
    notes = change.notes(body["id"])
    waits = body["status"] == "complete" and body["payment_status"] == "unpaid"
    refused = bool(notes.get("refused"))
    paid = body["payment_status"] in {"paid", "no_payment_required"}
    word, tone = _session_state(body["status"], paid=paid, refused=refused)
    own = change.find("charge", payment_intent=body["payment_intent"], paid=True)
    return {
        "id": body["id"],
        "name": notes["description"],
        "sub": notes["email"],
        "amount": money(body["amount_total"], body["currency"]),
        "state": word,
        "tone": tone,
        "pay_url": f"/pay/{body['id']}" if body["status"] == "open" else "",
        "waits": waits and not refused,
        "subscription": body["subscription"],
        "refundable": bool(own and body["payment_intent"] and _left(own[0])),
    }


def _session_state(status: str, *, paid: bool, refused: bool) -> tuple[str, str]:
    if status == "open":
        return (_("card refused"), "warn") if refused else (_("page open"), "open")
    if status == "expired":
        return _("expired"), ""
    if paid:
        return _("paid"), "good"
    return (_("bank refused"), "bad") if refused else (_("waits for the bank"), "warn")


def invoice(change: Change, body: Body) -> Shown:
    due = body["due_date"]
    late = body["status"] == "open" and bool(due) and due < change.now
    words = {
        "draft": (_("draft"), ""),
        "open": (_("overdue"), "bad") if late else (_("open"), "open"),
        "paid": (_("paid"), "good"),
        "void": (_("void"), ""),
    }
    word, tone = words[body["status"]]
    retry_at = body["next_payment_attempt"]
    lines = body["lines"]["data"]
    return {
        "id": body["id"],
        "name": lines[0]["description"] if lines else _("Invoice"),
        "sub": body["number"] or "",
        "amount": money(body["total"], body["currency"]),
        "state": word,
        "tone": tone,
        "story": change.story_of(body["id"]),
        "page": body["hosted_invoice_url"] and f"/invoices/{body['id']}",
        "due_at": moment(due) if due else None,
        "created_at": moment(body["created"]),
        "is_open": body["status"] == "open",
        "retry_at": moment(retry_at) if retry_at else None,
    }


def subscription(change: Change, body: Body) -> Shown:
    item = periods.period_of(body)
    ends = bool(body["cancel_at"] or body["cancel_at_period_end"])
    over = body["status"] in periods.OVER
    words = {
        "active": (_("ends with its period"), "warn") if ends else (_("active"), "good"),
        "past_due": (_("payment due"), "bad"),
        "incomplete": (_("not begun"), "open"),
    }
    word, tone = words.get(body["status"], (_("ended"), ""))
    recurring = item["price"]["recurring"]
    return {
        "id": body["id"],
        "name": body["description"] or _("Subscription"),
        "sub": change.get("customer", body["customer"])["email"],
        "amount": money(item["price"]["unit_amount"], body["currency"]),
        "currency": body["currency"].upper(),
        "yearly": recurring["interval"] == "year",
        "state": word,
        "tone": tone,
        "ends": ends,
        "over": over,
        "next_at": None if over else moment(item["current_period_end"]),
        "ended_at": moment(body["ended_at"]) if body["ended_at"] else None,
    }


# --- a whole story ---


def whole(change: Change, story: str) -> Shown:
    """Raises MissingError for what is no story."""
    for kind, noun, show in [
        ("checkout.session", "sessions", session),
        ("invoice", "invoices", invoice),
        ("subscription", "subscriptions", subscription),
    ]:
        found = change.find(kind, id=story)
        if found and change.story_of(story) == story:
            return {"noun": noun, "about": show(change, found[0]), **_money_of(change, story)}
    raise MissingError("story", story)


def _money_of(change: Change, story: str) -> Shown:
    def own(kind: str) -> list[Body]:
        return [row for row in change.find(kind) if change.story_of(row["id"]) == story]

    refunds = own("refund")
    return {
        "charges": [_charge(row) for row in reversed(own("charge"))],
        "refunds": [_refund(row) for row in reversed(refunds)],
        "disputes": [_dispute(row) for row in reversed(own("dispute"))],
        "bills": [invoice(change, row) for row in reversed(own("invoice"))],
    }


def _left(charge: Body) -> int:
    """What can go back of it."""
    return 0 if charge["disputed"] else charge["amount"] - charge["amount_refunded"]


def _charge(charge: Body) -> Shown:
    details = charge["payment_method_details"]
    card = details.get("card") or details["sepa_debit"]
    kind = _("card") if details["type"] == "card" else _("bank account")
    return {
        "id": charge["id"],
        "at": moment(charge["created"]),
        "amount": money(charge["amount"], charge["currency"]),
        "way": f"{kind} …{card['last4']}",
        "paid": charge["paid"],
        "refusal": charge["failure_message"] or "",
        "refundable": charge["paid"] and _left(charge) > 0,
        "left": money(_left(charge), charge["currency"]),
    }


def _refund(refund: Body) -> Shown:
    words = {
        "succeeded": (_("arrived"), "good"),
        "pending": (_("under way"), "warn"),
        "failed": (_("failed"), "bad"),
    }
    word, tone = words[refund["status"]]
    return {
        "id": refund["id"],
        "at": moment(refund["created"]),
        "amount": money(refund["amount"], refund["currency"]),
        "state": word,
        "tone": tone,
        "pending": refund["status"] == "pending",
        "failed": refund["status"] == "failed",
    }


def _dispute(dispute: Body) -> Shown:
    words = {
        "needs_response": (_("needs an answer"), "bad"),
        "warning_needs_response": (_("question, needs an answer"), "warn"),
        "under_review": (_("under review"), "warn"),
        "warning_under_review": (_("question, answered"), "warn"),
        "won": (_("won"), "good"),
        "lost": (_("lost"), "bad"),
        "warning_closed": (_("question, closed"), ""),
    }
    word, tone = words[dispute["status"]]
    return {
        "id": dispute["id"],
        "at": moment(dispute["created"]),
        "amount": money(dispute["amount"], dispute["currency"]),
        "due_at": moment(dispute["evidence_details"]["due_by"]),
        "state": word,
        "tone": tone,
        "over": dispute["status"] in disputes.OVER,
        "asked": dispute["status"].startswith("warning"),
        "unanswered": dispute["status"].endswith("needs_response"),
    }


def told(change: Change, story: str) -> list[Shown]:
    """Its events, the newest first, and whether they arrived."""
    return [_event(row) for row in events.told(change, story)]


def _event(row: Body) -> Shown:
    if row["held"]:
        word, tone = _("held back"), "warn"
    elif row["done"] == row["times"]:
        word, tone = _("delivered"), "good"
    else:
        word, tone = _("on its way"), "open"
    return {
        "id": row["id"],
        "type": row["type"],
        "at": moment(row["created"]),
        "times": row["times"],
        "attempts": row["attempts"],
        "answer": row["answer"],
        "state": word,
        "tone": tone,
    }
