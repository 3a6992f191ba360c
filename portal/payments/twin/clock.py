"""The clock of the twin: it may run ahead, and what is due by then happens in its sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from portal.payments.twin import invoices, sessions, subscriptions
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change, State

MOST = 1000  # things that happen in one advance; more are left for the next


@dataclass(frozen=True, slots=True)
class Due:
    at: int
    happen: Callable[[], object]


def advance(state: State, target: int, own_url: str) -> int:
    """Go on to `target`, never back; how many things happened on the way."""
    for happened in range(MOST):
        with state.changing() as change:
            first = min(_due(change, own_url), key=lambda due: due.at, default=None)
            if first is None or first.at > target:
                change.set_clock(max(target, change.now))
                return happened
            if first.at > change.now:
                change.set_clock(first.at)
            first.happen()
    return MOST


def catch_up(state: State, own_url: str) -> int:
    """What became due while nobody looked."""
    with state.changing() as change:
        now = change.now
        if not any(due.at <= now for due in _due(change, own_url)):
            return 0
    return advance(state, now, own_url)


def _due(change: Change, own_url: str) -> Iterator[Due]:
    """All that will happen by itself, each with its moment."""
    for session in change.find("checkout.session", status="open"):
        yield Due(session["expires_at"], _expiry(change, session))
    for invoice in change.find("invoice", status="open"):
        if invoice["next_payment_attempt"]:
            yield Due(invoice["next_payment_attempt"], _retry(change, invoice))
        elif invoice["due_date"] and not change.notes(invoice["id"]).get("overdue"):
            yield Due(invoice["due_date"], _overdue(change, invoice))
    for state in ("active", "past_due"):
        for subscription in change.find("subscription", status=state):
            yield Due(_turn(subscription), _renewal(change, subscription, own_url))


def _turn(subscription: Body) -> int:
    end = subscriptions.period_of(subscription)["current_period_end"]
    return int(min(end, subscription["cancel_at"] or end))


def _expiry(change: Change, session: Body) -> Callable[[], object]:
    return lambda: sessions.expire(change, session["id"])


def _retry(change: Change, invoice: Body) -> Callable[[], object]:
    return lambda: subscriptions.retry(change, invoice["id"])


def _overdue(change: Change, invoice: Body) -> Callable[[], object]:
    return lambda: invoices.tell_overdue(change, invoice["id"])


def _renewal(change: Change, subscription: Body, own_url: str) -> Callable[[], object]:
    return lambda: subscriptions.renew(change, subscription["id"], own_url)
