"""Events in the shape of before 2025-03-31 say the same as the newest ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.payments.events import read
from portal.payments.events.facts import InvoiceIssued, InvoicePaid, SubscriptionTold
from portal.payments.tests.twin_sessions import open_invoice, open_session, told
from portal.payments.twin import invoices, older, subscriptions, visits
from portal.payments.twin.shapes import VERSION, Body
from portal.payments.twin.state import Change, State


@pytest.fixture
def change(tmp_path: Path) -> Iterator[Change]:
    with State(tmp_path / "twin.sqlite").changing() as opened:
        yield opened


def subscribed(change: Change) -> Body:
    session = open_session(change, "month")
    visits.choose(change, session, "paid")
    return change.get("checkout.session", session["id"])


def as_older(change: Change, event: Body) -> Body:
    reshaped = older.event(change, event)
    assert (event["api_version"], reshaped["api_version"]) == (VERSION, older.VERSION)
    assert {**reshaped, "api_version": VERSION, "data": event["data"]} == event
    shown: Body = reshaped["data"]["object"]
    return shown


def test_a_paid_invoice_names_its_payment_itself(change: Change) -> None:
    session = subscribed(change)
    [event] = told(change, "invoice.paid")
    shown = as_older(change, event)
    [charge] = change.find("charge", paid=True)
    assert "parent" not in shown
    assert shown["subscription"] == session["subscription"]
    assert (shown["charge"], shown["payment_intent"]) == (charge["id"], charge["payment_intent"])
    assert shown["paid"] is True
    newer, told_older = read(event), read(older.event(change, event))
    assert isinstance(newer, InvoicePaid)
    assert isinstance(told_older, InvoicePaid)
    assert told_older.names == (charge["payment_intent"], charge["id"])
    for same in ("amount", "subscription_id", "subscription", "is_first", "at", "invoice_id"):
        assert getattr(told_older, same) == getattr(newer, same), same


def test_an_invoice_that_nobody_paid_names_none(change: Change) -> None:
    invoice = open_invoice(change)
    [event] = told(change, "invoice.finalized")
    shown = as_older(change, event)
    assert (shown["charge"], shown["subscription"], shown["paid"]) == (None, None, False)
    assert shown["subscription_details"] is None
    assert isinstance(read(older.event(change, event)), InvoiceIssued)
    invoices.refuse(change, invoice["id"], "bad", "card_declined", again_at=None)
    [refused] = told(change, "invoice.payment_failed")
    again = as_older(change, refused)
    assert again["payment_intent"] == change.find("payment_intent")[0]["id"]
    assert again["charge"] is None, "one that failed brought nothing"


def test_an_invoice_without_an_attempt_has_no_intent(change: Change) -> None:
    draft = open_invoice(change)
    change.run("DELETE FROM thing WHERE kind = 'invoice_payment'")
    [event] = told(change, "invoice.created")
    assert as_older(change, event)["payment_intent"] is None
    assert draft["id"] == event["data"]["object"]["id"]


def test_a_subscription_has_its_period_itself(change: Change) -> None:
    session = subscribed(change)
    subscriptions.change_price(change, session["subscription"], 70_00)
    event = told(change, "customer.subscription.updated")[-1]
    shown = as_older(change, event)
    [item] = shown["items"]["data"]
    assert not [name for name in item if name.startswith("current_period")]
    period = event["data"]["object"]["items"]["data"][0]
    assert shown["current_period_end"] == period["current_period_end"]
    assert shown["current_period_start"] == period["current_period_start"]
    newer = read(event)
    assert isinstance(newer, SubscriptionTold)
    assert newer.price.minor == 70_00
    assert read(older.event(change, event)) == newer


def test_what_looked_the_same_then_stays(change: Change) -> None:
    subscribed(change)
    [event] = told(change, "checkout.session.completed")
    assert as_older(change, event) == event["data"]["object"]


def test_an_account_of_an_older_version_sends_older_events(change: Change) -> None:
    change.set("shape", "older")
    subscribed(change)
    [event] = told(change, "invoice.paid")
    assert event["api_version"] == older.VERSION
    assert event["data"]["object"]["charge"] == change.find("charge", paid=True)[0]["id"]
