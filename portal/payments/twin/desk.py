"""The buttons of the desk: what happens without the visitor."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from portal.lib.money import EXPONENTS
from portal.payments.twin import (
    clock,
    disputes,
    events,
    invoices,
    refunds,
    sessions,
    subscriptions,
)
from portal.payments.twin.cards import BANK
from portal.payments.twin.errors import RequestError
from portal.payments.twin.forms import Form
from portal.payments.twin.state import Change, State

DAY = 24 * 3600
Button = Callable[[Change, str, Form], object]


def _refund_session(change: Change, session_id: str, form: Form) -> None:
    session = change.get("checkout.session", session_id)
    charges = change.find("charge", payment_intent=session["payment_intent"], paid=True)
    if not session["payment_intent"] or not charges:
        raise RequestError("This session brought no money of its own to give back.")
    _refund_charge(change, charges[0]["id"], form)


def _refund_charge(change: Change, charge_id: str, form: Form) -> None:
    charge = change.get("charge", charge_id)
    refunds.give_back(change, charge, _minor(form, charge["currency"]))


def _change_price(change: Change, subscription_id: str, form: Form) -> None:
    subscription = change.get("subscription", subscription_id)
    minor = _minor(form, subscription["currency"])
    subscriptions.change_price(change, subscription_id, minor or 0)


def _minor(form: Form, currency: str) -> int | None:
    """The amount that somebody typed, "12.50" or "12,50"; None where the field was left empty."""
    typed = str(form.get("amount") or "").strip().replace(",", ".")
    if not typed:
        return None
    try:
        minor = Decimal(typed).scaleb(EXPONENTS[currency.upper()])
    except InvalidOperation as error:
        raise RequestError("Write the amount as a number, such as 12.50.") from error
    if minor != minor.to_integral_value() or not 0 < minor < 10**13:
        raise RequestError("Write the amount as a number, such as 12.50.")
    return int(minor)


def _retry_now(change: Change, invoice_id: str, form: Form) -> None:
    invoice = change.get("invoice", invoice_id)
    if invoice["status"] != "open" or not invoice["next_payment_attempt"]:
        raise RequestError("No further attempt is due for this invoice.")
    subscriptions.retry(change, invoice_id)


def _bank_pays(change: Change, invoice_id: str, form: Form) -> None:
    invoice = invoices.pay(change, invoice_id, BANK)
    subscription = subscriptions.subscription_of(invoice)
    if subscription:
        subscriptions.settled(change, subscription)


BUTTONS: dict[tuple[str, str], Button] = {
    ("sessions", "arrived"): lambda change, at, _: sessions.bank(change, at, arrived=True),
    ("sessions", "failed"): lambda change, at, _: sessions.bank(change, at, arrived=False),
    ("sessions", "expire"): lambda change, at, _: sessions.expire(change, at),
    ("sessions", "refund"): _refund_session,
    ("sessions", "redeliver"): lambda change, at, _: events.redeliver(change, at),
    ("invoices", "arrived"): _bank_pays,
    ("invoices", "retry"): _retry_now,
    ("invoices", "void"): lambda change, at, _: invoices.void(change, at),
    ("invoices", "redeliver"): lambda change, at, _: events.redeliver(change, at),
    ("subscriptions", "cancel"): lambda change, at, _: subscriptions.cancel(change, at),
    ("subscriptions", "end"): lambda change, at, _: subscriptions.cancel_at_end(change, at),
    ("subscriptions", "keep"): lambda change, at, _: subscriptions.keep(change, at),
    ("subscriptions", "price"): _change_price,
    ("subscriptions", "redeliver"): lambda change, at, _: events.redeliver(change, at),
    ("charges", "refund"): _refund_charge,
    ("charges", "dispute"): lambda change, at, _: disputes.open_dispute(change, at),
    ("charges", "inquiry"): lambda change, at, _: disputes.open_dispute(change, at, inquiry=True),
    ("disputes", "answer"): lambda change, at, _: disputes.answer(change, at),
    ("disputes", "won"): lambda change, at, _: disputes.close(change, at, won=True),
    ("disputes", "lost"): lambda change, at, _: disputes.close(change, at, won=False),
    ("refunds", "arrived"): lambda change, at, _: refunds.settle(change, at, arrived=True),
    ("refunds", "failed"): lambda change, at, _: refunds.settle(change, at, arrived=False),
    ("events", "redeliver"): lambda change, at, _: events.redeliver_one(change, at),
}


def press(state: State, noun: str, thing_id: str, action: str, form: Form) -> None:
    button = BUTTONS.get((noun, action))
    if button is None:
        raise RequestError("There is no such button.", 404)
    with state.changing() as change:
        button(change, thing_id, form)


def turn_clock(state: State, form: Form, own_url: str) -> None:
    """On by a day, a month or a year; what is due on the way happens."""
    by = re.fullmatch(r"(day|month|year)", str(form.get("by")))
    if by is None:
        raise RequestError("Choose a day, a month or a year.")
    with state.changing() as change:
        now = change.now
    months = {"month": 1, "year": 12}.get(by[0], 0)
    target = subscriptions.later(now, months, now) if months else now + DAY
    clock.advance(state, target, own_url)


def steer_deliveries(state: State, form: Form) -> None:
    """How events leave from now on, or what is held back leaves at once."""
    mode, release, shape = form.get("mode"), form.get("release"), form.get("shape")
    with state.changing() as change:
        if mode in events.MODES:
            events.set_mode(change, str(mode))
        elif release in {"forward", "reverse"}:
            events.release(change, reverse=release == "reverse")
        elif shape in events.SHAPES:
            change.set("shape", str(shape))
        else:
            raise RequestError("Choose once, twice or held.")
