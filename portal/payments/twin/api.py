"""The part of Stripe's API that the portal uses: which request is answered by which verb."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from portal.payments.twin import (
    clock,
    customers,
    events,
    forms,
    invoices,
    refunds,
    sessions,
    subscriptions,
)
from portal.payments.twin.errors import RequestError
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body, listing, shaped
from portal.payments.twin.state import Change, State, new_id

MOST = 100  # rows of a list


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: the ids in its address, and its fields."""

    change: Change
    ids: tuple[str, ...]
    form: Form
    own_url: str


Answer = Callable[[Asked], Body]


def _portal_session(asked: Asked) -> Body:
    customer = customers.known(asked.change, forms.text(asked.form, "customer") or "")
    session_id = new_id("bps")
    session = shaped(
        "billing_portal.session",
        id=session_id,
        created=asked.change.now,
        configuration="bpc_twin",
        customer=customer["id"],
        return_url=forms.text(asked.form, "return_url"),
        url=f"{asked.own_url}/portal/{session_id}",
    )
    return asked.change.add(session, customer["id"])


def _invoice(asked: Asked) -> Body:
    """With its payments, where they are asked for."""
    invoice = asked.change.get("invoice", asked.ids[0])
    if "payments" not in forms.inner(asked.form, "expand").values():
        return invoice
    rows = asked.change.find("invoice_payment", invoice=invoice["id"])
    return invoice | {"payments": listing(rows, f"/v1/invoice_payments?invoice={invoice['id']}")}


def _retrieve(kind: str) -> Answer:
    return lambda asked: asked.change.get(kind, asked.ids[0])


def _list(kind: str, *filters: str) -> Answer:
    def answer(asked: Asked) -> Body:
        wanted = {name: asked.form[name] for name in filters if name in asked.form}
        rows = asked.change.find(kind, **wanted)
        return _page(asked, list(reversed(rows)), kind)

    return answer


def _list_events(asked: Asked) -> Body:
    kind = asked.form.get("type")
    rows = [row for row in events.written(asked.change) if kind in {None, row["type"]}]
    return _page(asked, rows, "event")


def _page(asked: Asked, rows: list[Body], kind: str) -> Body:
    """The newest first, from `created[gte]` on, after the row that the last page ended with."""
    since = forms.number(forms.inner(asked.form, "created"), "gte", 0)
    found = [row for row in rows if row["created"] >= since]
    after = forms.text(asked.form, "starting_after")
    if after:
        places = [place for place, row in enumerate(found) if row["id"] == after]
        if not places:
            raise RequestError(f"No such {kind}: '{after}'", param="starting_after")
        found = found[places[0] + 1 :]
    limit = forms.number(asked.form, "limit", 10)
    if not 1 <= limit <= MOST:
        raise RequestError(f"limit must be from 1 to {MOST}", param="limit")
    return listing(found[:limit], f"/v1/{kind}s", more=len(found) > limit)


ID = r"([A-Za-z0-9_]+)"
ROUTES: list[tuple[str, str, Answer]] = [
    ("POST", "checkout/sessions", lambda a: sessions.create(a.change, a.form, a.own_url)),
    ("GET", f"checkout/sessions/{ID}", _retrieve("checkout.session")),
    ("POST", f"checkout/sessions/{ID}/expire", lambda a: sessions.expire(a.change, a.ids[0])),
    ("POST", "coupons", lambda a: customers.create_coupon(a.change, a.form)),
    ("POST", "customers", lambda a: customers.create(a.change, a.form)),
    ("GET", f"customers/{ID}", _retrieve("customer")),
    (
        *("POST", f"customers/{ID}/tax_ids"),
        lambda a: customers.add_tax_id(a.change, a.ids[0], a.form),
    ),
    ("POST", "billing_portal/sessions", _portal_session),
    ("POST", "invoices", lambda a: invoices.create(a.change, a.form, a.own_url)),
    ("POST", "invoiceitems", lambda a: invoices.create_item(a.change, a.form)),
    ("GET", "invoices", _list("invoice", "customer")),
    ("GET", f"invoices/{ID}", _invoice),
    ("POST", f"invoices/{ID}/finalize", lambda a: invoices.finalize(a.change, a.ids[0])),
    ("POST", f"invoices/{ID}/void", lambda a: invoices.void(a.change, a.ids[0])),
    ("GET", "invoice_payments", _list("invoice_payment", "invoice", "status")),
    ("GET", f"subscriptions/{ID}", _retrieve("subscription")),
    ("POST", f"subscriptions/{ID}", lambda a: subscriptions.update(a.change, a.ids[0], a.form)),
    ("DELETE", f"subscriptions/{ID}", lambda a: subscriptions.cancel(a.change, a.ids[0])),
    ("POST", "refunds", lambda a: refunds.create(a.change, a.form)),
    ("GET", f"refunds/{ID}", _retrieve("refund")),
    ("GET", "refunds", _list("refund", "charge", "payment_intent")),
    ("GET", f"payment_intents/{ID}", _retrieve("payment_intent")),
    ("GET", f"charges/{ID}", _retrieve("charge")),
    ("GET", "charges", _list("charge", "customer", "payment_intent")),
    ("GET", f"disputes/{ID}", _retrieve("dispute")),
    ("GET", "disputes", _list("dispute", "charge", "payment_intent")),
    ("GET", "events", _list_events),
]


def answer(state: State, own_url: str, method: str, path: str, form: Form, key: str = "") -> Body:
    """The object asked for. Raises RequestError."""
    clock.catch_up(state, own_url)
    ids, verb = _route(method, path)
    with state.changing() as change:
        asked = Asked(change, ids, form, own_url)
        if method == "GET":
            return verb(asked)
        return _once(asked, verb, f"{method} {path}", key)


def _route(method: str, path: str) -> tuple[tuple[str, ...], Answer]:
    for wanted, pattern, verb in ROUTES:
        found = re.fullmatch(pattern, path)
        if found and wanted == method:
            return found.groups(), verb
    raise RequestError(f"Unrecognized request URL ({method}: /v1/{path}).", 404)


def _once(asked: Asked, verb: Answer, request: str, key: str) -> Body:
    """A key gives the first answer again; with another request it is refused."""
    asks = f"{request} {json.dumps(asked.form, sort_keys=True)}"
    row = asked.change.run("SELECT request, body FROM answer WHERE key = ?", [key]).fetchone()
    if row is None:
        body = verb(asked)
        if key:
            values = [key, asks, json.dumps(body)]
            asked.change.run("INSERT INTO answer VALUES (?, ?, ?)", values)
        return body
    if row["request"] != asks:
        message = "Keys for idempotent requests can only be used with the same parameters."
        raise RequestError(message, code="idempotency_error")
    known: Body = json.loads(row["body"])
    return known


def error_body(error: RequestError) -> dict[str, Any]:
    kind = "idempotency_error" if error.code == "idempotency_error" else "invalid_request_error"
    named = {"code": error.code, "param": error.param}
    return {
        "error": {"type": kind, "message": error.message}
        | {name: value for name, value in named.items() if value}
    }
