"""What a visitor does on a hosted page, and where it leads: without a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.payments.tests.twin_sessions import BACK, open_invoice, open_session, told
from portal.payments.twin import subscriptions, visits
from portal.payments.twin.errors import RequestError
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change, State


@pytest.fixture
def change(tmp_path: Path) -> Iterator[Change]:
    with State(tmp_path / "twin.sqlite").changing() as opened:
        yield opened


def now(change: Change, payable: Body) -> Body:
    return change.get(payable["object"], payable["id"])


@pytest.mark.parametrize("interval", ["", "month"])
def test_a_bank_that_asks_is_answered_and_the_money_is_there(change: Change, interval: str) -> None:
    session = open_session(change, interval)
    asks = visits.choose(change, session, "secured")
    assert asks == f"/challenge/{session['id']}"
    assert told(change, "payment_intent.requires_action")
    assert now(change, session)["payment_status"] == "unpaid"
    assert visits.confirm(change, session, is_me=True) == BACK
    assert now(change, session)["payment_status"] == "paid"
    with pytest.raises(RequestError, match="does not ask"):
        visits.confirm(change, now(change, session), is_me=True)


@pytest.mark.parametrize("interval", ["", "month"])
def test_who_does_not_confirm_is_refused_and_may_try_again(change: Change, interval: str) -> None:
    session = open_session(change, interval)
    visits.choose(change, session, "secured")
    assert visits.confirm(change, session, is_me=False) == f"/pay/{session['id']}"
    [refused] = told(change, "charge.failed")
    assert refused["data"]["object"]["failure_code"] == visits.UNCONFIRMED
    assert refused["data"]["object"]["billing_details"]["email"] == "ada@donors.example"
    assert now(change, session)["status"] == "open"
    assert visits.choose(change, session, "paid") == BACK
    assert [e["data"]["object"]["amount"] for e in told(change, "charge.succeeded")] == [5000]


def test_a_bank_that_was_not_asked_is_not_answered(change: Change) -> None:
    session = open_session(change)
    with pytest.raises(RequestError, match="does not ask"):
        visits.confirm(change, session, is_me=True)
    visits.choose(change, session, "declined")
    with pytest.raises(RequestError, match="does not ask"):
        visits.confirm(change, session, is_me=True)


def test_a_promise_of_a_bank_leads_back_without_money(change: Change) -> None:
    session = open_session(change)
    assert visits.choose(change, session, "unpaid") == BACK
    assert now(change, session)["status"] == "complete"
    assert not told(change, "charge.succeeded")


@pytest.mark.parametrize("outcome", ["", "None", "bad", "good"])
def test_what_no_form_sends_is_refused(change: Change, outcome: str) -> None:
    session = open_session(change)
    with pytest.raises(RequestError, match="Choose how to pay"):
        visits.choose(change, session, outcome)


def test_an_invoice_is_refused_confirmed_and_paid_on_its_page(change: Change) -> None:
    invoice = open_invoice(change)
    page = f"/invoices/{invoice['id']}"
    assert visits.choose(change, invoice, "declined") == page
    assert len(told(change, "invoice.payment_failed")) == 1
    assert visits.choose(change, now(change, invoice), "secured") == f"/challenge/{invoice['id']}"
    assert visits.confirm(change, now(change, invoice), is_me=False) == page
    assert now(change, invoice)["status"] == "open"
    assert visits.choose(change, now(change, invoice), "paid") == page
    assert now(change, invoice)["status"] == "paid"
    assert [e["data"]["object"]["amount"] for e in told(change, "charge.succeeded")] == [5000]


def test_a_card_that_pays_a_renewal_is_the_one_of_the_next(change: Change) -> None:
    session = open_session(change, "month")
    visits.choose(change, session, "expiring")
    session = now(change, session)
    subscription = change.get("subscription", session["subscription"])
    change.set_clock(subscription["items"]["data"][0]["current_period_end"] + 1)
    subscriptions.renew(change, subscription["id"], "http://twin.example")
    invoice = change.find("invoice", status="open")[0]
    assert now(change, subscription)["status"] == "past_due"
    assert visits.choose(change, invoice, "paid") == f"/invoices/{invoice['id']}"
    assert now(change, subscription)["status"] == "active"
    assert change.notes(session["customer"])["card"] == "good"
