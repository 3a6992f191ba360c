"""The twin, spoken to over HTTP by the client that speaks to Stripe."""

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from portal.lib.money import Money
from portal.payments.providers import CheckoutRequest, HostedCheckout, ProviderError
from portal.payments.providers.twin import TwinProvider
from portal.payments.twin.state import State
from tests.supporters import running_twin

REFERENCE = "0b5a3c5e-8d1e-4f3e-9a53-0a7f8f1f0d11"
PRICE = Money(5_000_00, "EUR")


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Any]:
    with running_twin(tmp_path) as running:
        yield running


@pytest.fixture
def source(twin: Any) -> TwinProvider:
    return TwinProvider(twin.url, "whsec_only_for_tests")


def request(attempt: int = 0) -> CheckoutRequest:
    back = "http://portal.example/join/x/"
    return CheckoutRequest(
        REFERENCE, "Silver", PRICE, "b@acme.example", back, back + "?{CHECKOUT_SESSION_ID}", attempt
    )


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def post(url: str, site: str = "same-origin", **form: str) -> tuple[int, str, str]:
    """Status, Location and text of the answer to a form of a page."""
    headers = {"Sec-Fetch-Site": site}
    asked = urllib.request.Request(url, urlencode(form).encode(), headers)  # noqa: S310
    try:
        with urllib.request.build_opener(NoRedirect).open(asked) as answer:
            return answer.status, "", answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Location", ""), error.read().decode()


def get(url: str) -> tuple[int, str, Any]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


def events(twin: Any) -> list[tuple[str, dict[str, Any]]]:
    with sqlite3.connect(twin.state.path) as connection:
        rows = connection.execute("SELECT body FROM event ORDER BY rowid").fetchall()
    found = [json.loads(row[0]) for row in rows]
    return [(event["type"], event["data"]["object"]) for event in found]


def deliveries(twin: Any) -> int:
    return int(twin.state.waiting())


def opened(source: TwinProvider) -> HostedCheckout:
    return source.create_checkout(request())


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
    assert kinds == ["payment_intent.succeeded", "checkout.session.completed"]
    assert "page is closed" in get(hosted.url)[1]


def test_a_declined_card_leaves_the_session_open(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    status, location, _ = post(hosted.url, outcome="declined")
    assert (status, location) == (303, f"/pay/{hosted.session_id}")
    assert "The card was declined" in get(hosted.url)[1]
    assert source.fetch_checkout(hosted.session_id).raw["status"] == "open"
    assert [kind for kind, _ in events(twin)] == ["payment_intent.payment_failed"]


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
    assert [thing["amount"] for kind, thing in events(twin) if kind[:6] == "refund"] == [100_000]
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


def test_events_are_doubled_held_and_reversed_on_request(twin: Any, source: TwinProvider) -> None:
    post(f"{twin.url}/deliveries/", mode="twice")
    post(opened(source).url, outcome="paid")
    assert deliveries(twin) == 4
    post(f"{twin.url}/deliveries/", mode="held")
    second = source.create_checkout(request(attempt=1))
    post(second.url, outcome="paid")
    assert deliveries(twin) == 6
    held = [json.loads(body)["type"] for _, _, body in twin.state.due(9e12)][4:]
    assert held == []
    post(f"{twin.url}/deliveries/", mode="once")
    released = [json.loads(body)["type"] for _, _, body in twin.state.due(9e12)][4:]
    assert released == ["checkout.session.completed", "payment_intent.succeeded"]
    assert post(f"{twin.url}/deliveries/", mode="never")[0] == 400


def test_a_failed_delivery_gets_a_later_turn(twin: Any, source: TwinProvider) -> None:
    post(opened(source).url, outcome="paid")
    twin.courier.deliver_due()
    assert deliveries(twin) == 2
    post(f"{twin.url}/sessions/{opened(source).session_id}/redeliver")
    assert deliveries(twin) == 4


def test_what_it_knows_survives_the_process(twin: Any, source: TwinProvider) -> None:
    hosted = opened(source)
    post(hosted.url, outcome="paid")
    after = State(twin.state.path)
    session = after.session(hosted.session_id)
    assert session is not None
    assert session["payment_status"] == "paid"
    assert after.waiting() == 2


def break_off(state: State, body: dict[str, Any]) -> None:
    with state.changing() as change:
        change.save_session(body)
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
    assert "5,000.00" in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "http://portal.example" in headers["Content-Security-Policy"]
    assert get(f"{twin.url}/")[0] == 200
    assert get(f"{twin.url}/static/css/base.css")[0] == 200
    assert get(f"{twin.url}/health/live")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/nowhere", "/static/../portal/settings.py", "/static/js/theme.js", "/static/css/x.css"),
        *("/v1/customers", "/pay/cs_none", "/sessions/cs_none/burn", "/deliveries/"),
    ],
)
def test_other_addresses_lead_nowhere(twin: Any, path: str) -> None:
    assert get(twin.url + path)[0] in {400, 404}


@pytest.mark.parametrize("form", [{}, {"mode": "payment"}])
def test_a_session_without_a_price_is_refused(twin: Any, form: dict[str, str]) -> None:
    status, _, text = post(f"{twin.url}/v1/checkout/sessions", **form)
    assert status == 400
    assert json.loads(text)["error"]["type"] == "invalid_request_error"
