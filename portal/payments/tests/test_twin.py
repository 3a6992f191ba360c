"""The twin, spoken to over HTTP by the client that speaks to Stripe."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.lib.money import Money
from portal.payments.providers import (
    CustomerRequest,
    HostedCheckout,
    InvoiceRequest,
    ProviderError,
    Recurring,
)
from portal.payments.providers.twin import TwinProvider
from portal.payments.tests.twin_client import (
    PRICE,
    events,
    get,
    opened,
    post,
    request,
)
from portal.payments.twin import events as queue
from portal.payments.twin.events import waiting
from portal.payments.twin.state import State


def test_the_same_attempt_gives_the_same_session(source: TwinProvider) -> None:
    first = opened(source)
    assert opened(source).session_id == first.session_id
    assert source.create_checkout(request(attempt=1)).session_id != first.session_id


def test_a_good_card_pays_at_once_and_leads_back(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    status, location, _ = post(hosted.url, outcome="paid")
    assert (status, location) == (303, "http://portal.example/join/x/")
    assert source.fetch_checkout(hosted.session_id).raw["payment_status"] == "paid"
    kinds = [kind for kind, _ in events(twin)]
    assert kinds[0] == "payment_intent.created"
    assert kinds[1:] == [
        *("charge.succeeded", "payment_intent.succeeded", "checkout.session.completed")
    ]
    assert "page is closed" in get(hosted.url)[1]


def test_a_declined_card_leaves_the_session_open(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    status, location, _ = post(hosted.url, outcome="declined")
    assert (status, location) == (303, f"/pay/{hosted.session_id}")
    assert "The card was declined" in get(hosted.url)[1]
    assert source.fetch_checkout(hosted.session_id).raw["status"] == "open"
    assert [kind for kind, _ in events(twin)][1:] == [
        *("charge.failed", "payment_intent.payment_failed")
    ]


def test_every_reference_of_a_payment_leads_to_its_page_of_the_desk(
    twin: Any, source: TwinProvider
) -> None:
    hosted = opened(source)
    post(hosted.url, outcome="paid")
    page = get(f"{twin.url}/stories/{hosted.session_id}")[1]
    with twin.state.changing() as change:
        names = [
            thing["id"] for kind in ("charge", "payment_intent") for thing in change.find(kind)
        ]
        names += [event["id"] for event in queue.written(change)]
    assert len(names) == 6
    for name in names:
        assert get(f"{twin.url}/stories/{name}")[1] == page
    assert get(f"{twin.url}/stories/nothing")[0] == 404


@pytest.mark.parametrize(("button", "status"), [("arrived", "paid"), ("failed", "unpaid")])
def test_a_bank_answers_later(twin: Any, source: TwinProvider, button: str, status: str) -> None:
    hosted = opened(source)
    post(hosted.url, outcome="unpaid")
    assert source.fetch_checkout(hosted.session_id).raw["payment_status"] == "unpaid"
    assert post(f"{twin.url}/sessions/{hosted.session_id}/{button}")[0] == 303
    assert source.fetch_checkout(hosted.session_id).raw["payment_status"] == status
    assert post(f"{twin.url}/sessions/{hosted.session_id}/arrived")[0] == 400


def test_no_more_goes_back_than_came(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    post(hosted.url, outcome="paid")
    payment = source.fetch_checkout(hosted.session_id).raw["payment_intent"]
    source.refund(payment, Money(1_000_00, "EUR"), key="one")
    source.refund(payment, Money(1_000_00, "EUR"), key="one")
    assert [thing["amount"] for kind, thing in events(twin) if kind == "refund.created"] == [
        100_000
    ]
    with pytest.raises(ProviderError, match="greater"):
        source.refund(payment, Money(4_500_00, "EUR"), key="two")
    assert post(f"{twin.url}/sessions/{hosted.session_id}/refund")[0] == 303
    with pytest.raises(ProviderError):
        source.refund("pi_unknown", Money(1, "EUR"), key="three")


def test_an_ended_session_cannot_be_paid(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    assert source.expire_checkout(hosted.session_id).raw["status"] == "expired"
    assert source.expire_checkout(hosted.session_id).raw["status"] == "expired"
    assert "page is closed" in post(hosted.url, outcome="paid")[2]


def test_a_session_that_nobody_paid_expires(
    twin: Any, source: TwinProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.payments.twin.sessions.LIFETIME", -1)
    hosted = opened(source)
    assert source.fetch_checkout(hosted.session_id).raw["status"] == "expired"


def test_what_it_knows_survives_the_process(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    post(hosted.url, outcome="paid")
    with State(twin.state.path).changing() as after:
        session = after.get("checkout.session", hosted.session_id)
        assert session["payment_status"] == "paid"
        assert waiting(after) == (4, 0)


def break_off(state: State, body: dict[str, Any]) -> None:
    with state.changing() as change:
        change.save(body)
        raise RuntimeError


def test_a_half_written_change_leaves_nothing(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    with pytest.raises(RuntimeError):
        break_off(twin.state, {**hosted.raw, "status": "complete"})
    assert source.fetch_checkout(hosted.session_id).raw["status"] == "open"


def test_a_form_of_another_site_presses_no_button(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    assert post(hosted.url, site="cross-site", outcome="paid")[0] == 404
    assert source.fetch_checkout(hosted.session_id).raw["status"] == "open"


def test_its_pages_keep_a_strict_policy(twin: Any, source: TwinProvider) -> None:
    status, page, headers = get(opened(source).url)
    assert status == 200
    assert "5,000\N{NO-BREAK SPACE}€" in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "http://portal.example" in headers["Content-Security-Policy"]
    assert get(f"{twin.url}/")[0] == 200
    assert get(f"{twin.url}/static/css/base.css")[0] == 200
    assert get(f"{twin.url}/health/live")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/nowhere", "/static/../portal/settings.py", "/static/js/theme.js", "/static/css/x.css"),
        *("/v1/customer", "/pay/cs_none", "/sessions/cs_none/burn", "/deliveries/"),
    ],
)
def test_other_addresses_lead_nowhere(twin: Any, path: str) -> None:
    assert get(twin.url + path)[0] in {400, 404}


@pytest.mark.parametrize("form", [{}, {"mode": "payment"}])
def test_a_session_without_a_price_is_refused(twin: Any, form: dict[str, str]) -> None:
    status, _, text = post(f"{twin.url}/v1/checkout/sessions", **form)
    assert status == 400
    assert json.loads(text)["error"]["type"] == "invalid_request_error"


# --- pages ---


def sign(source: TwinProvider) -> HostedCheckout:
    """A session of a subscription, for a customer."""
    customer = source.create_customer(CustomerRequest("c-1", "Acme", "b@acme.example"))
    monthly = Recurring("s-1", PRICE, "month")
    return source.create_checkout(replace(request(), customer_id=customer, recurring=monthly))


def test_a_bank_may_ask_first_and_be_refused(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    challenge = hosted.url.replace("/pay/", "/challenge/")
    assert post(challenge, answer="confirm")[0] == 400
    assert get(challenge)[0] == 400
    assert post(hosted.url, outcome="secured")[1] == f"/challenge/{hosted.session_id}"
    assert "Is it you who pays?" in get(challenge)[1]
    assert post(challenge, answer="refuse")[1] == f"/pay/{hosted.session_id}"
    assert "did not confirm that it was you" in get(hosted.url)[1]
    post(hosted.url, outcome="secured")
    assert post(challenge, answer="confirm")[1] == "http://portal.example/join/x/"
    assert source.fetch_checkout(hosted.session_id).raw["payment_status"] == "paid"


def test_the_customers_page_changes_the_card_and_ends_the_subscription(
    twin: Any, source: TwinProvider
) -> None:
    hosted = sign(source)
    post(hosted.url, outcome="expiring")
    raw = source.fetch_checkout(hosted.session_id).raw
    page = source.customer_portal(raw["customer"], "http://portal.example/")
    assert "Visa …0069" in get(page)[1]
    post(f"{page}/card", card="bad")
    assert "The card was not taken on" in get(page)[1]
    post(f"{page}/card", card="good")
    assert "Visa …4242" in get(page)[1]
    post(f"{page}/cancel", subscription=raw["subscription"])
    assert "ends with its period" in get(page)[1]
    post(f"{page}/keep", subscription=raw["subscription"])
    assert source.fetch_subscription(raw["subscription"])["cancel_at"] is None
    assert post(f"{page}/burn")[0] == get(f"{page}/card")[0] == 404
    other = source.create_customer(CustomerRequest("c-2", "Other", "o@other.example"))
    foreign = source.customer_portal(other, "http://portal.example/")
    assert "No subscriptions" in get(foreign)[1]
    assert post(f"{foreign}/cancel", subscription=raw["subscription"])[0] == 404


def test_a_page_of_its_own_shows_what_can_be_played(twin: Any, source: TwinProvider) -> None:
    hosted = sign(source)
    story = f"{twin.url}/stories/{hosted.session_id}"
    assert "No charges yet" in get(story)[1]
    post(hosted.url, outcome="paid")
    subscription = source.fetch_checkout(hosted.session_id).raw["subscription"]
    page = get(f"{twin.url}/stories/{subscription}")[1]
    for words in ("Cardholder disputes", "A month on: renew", "Change plan", "invoice.paid"):
        assert words in page
    assert "payment due" not in get(f"{twin.url}/")[1]
    assert post(f"{twin.url}/subscriptions/{subscription}/price", amount="-1")[0] == 400
    assert post(f"{twin.url}/subscriptions/{subscription}/price", amount="1.999")[0] == 400
    assert post(f"{twin.url}/subscriptions/{subscription}/price", amount="a lot")[0] == 400
    assert post(f"{twin.url}/clock/", by="century")[0] == 400
    assert get(f"{twin.url}/stories/evt_1")[0] == 404


def test_one_key_is_for_one_request(twin: Any, source: TwinProvider) -> None:
    opened(source)
    dearer = replace(request(), amount=Money(1_00, "EUR"))
    with pytest.raises(ProviderError, match="same parameters"):
        source.create_checkout(dearer)


def test_what_moved_is_listed_page_by_page(
    twin: Any, source: TwinProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.payments.providers.stripe.PAGE", 1)
    for attempt in range(3):
        post(source.create_checkout(request(attempt)).url, outcome="paid")
    since = datetime.now(UTC) - timedelta(minutes=5)
    assert [row.minor for row in source.movements(since)] == [PRICE.minor] * 3
    told = [event["id"] for event in source.events_since(since)]
    assert len(set(told)) == len(told) == 12
    assert list(source.movements(datetime.now(UTC) + timedelta(days=1))) == []


def test_an_event_that_is_asked_for_is_the_one_that_is_delivered(
    twin: Any, source: TwinProvider
) -> None:
    """The client makes decimals of texts, which no JSON has: fetching them had always failed."""
    recurring = replace(request(), recurring=Recurring("s-1", PRICE, "month"))
    post(source.create_checkout(recurring).url, outcome="paid")
    asked = list(source.events_since(datetime.now(UTC) - timedelta(minutes=5)))
    with twin.state.changing() as change:
        delivered = queue.written(change)
    assert "unit_amount_decimal" in json.dumps(delivered)
    assert json.loads(json.dumps(asked)) == delivered


def invoice(source: TwinProvider, customer: str) -> InvoiceRequest:
    known = source.create_customer(CustomerRequest(customer, "Acme", "a@acme.example", "DE"))
    lines = (("Gold", PRICE),)
    return InvoiceRequest(f"order-{customer}", "INV-2026-0007", known, lines, days_until_due=30)


def test_the_providers_invoice_has_our_number_and_names_it_as_reference(
    twin: Any, source: TwinProvider
) -> None:
    sent = source.send_invoice(invoice(source, "one"))
    assert sent.raw["number"] == "INV-2026-0007"
    assert sent.raw["custom_fields"] == [{"name": "Payment reference", "value": "INV-2026-0007"}]
    page = get(sent.url)[1]
    assert page.count("INV-2026-0007") >= 3


def test_a_number_that_is_taken_there_is_still_the_reference(source: TwinProvider) -> None:
    source.send_invoice(invoice(source, "one"))
    other = source.send_invoice(invoice(source, "two")).raw
    assert other["number"].startswith("TWIN-")
    assert other["custom_fields"][0]["value"] == "INV-2026-0007"
    assert other["amount_due"] == PRICE.minor


def test_an_invoice_of_long_ago_is_found_again_and_not_made_twice(
    twin: Any, source: TwinProvider
) -> None:
    """The provider remembers keys for a day; our sweep may come later."""
    asked = invoice(source, "one")
    first = source.send_invoice(asked)
    with twin.state.changing() as change:
        change.run("DELETE FROM answer")
    again = source.send_invoice(asked)
    assert again.invoice_id == first.invoice_id
    assert again.raw["amount_due"] == PRICE.minor, "no line was added twice"
