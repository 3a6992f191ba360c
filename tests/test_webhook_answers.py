"""What the webhook's address answers to whatever is sent there, and what it keeps of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import stripe
from django.conf import settings
from django.test import Client

from portal.payments.models import LedgerEntry, ProviderEvent
from portal.payments.providers.stripe import StripeProvider
from tests.supporters import SECRET, event, make_application, session_event

pytestmark = pytest.mark.django_db
SIGNED = stripe.WebhookSignature.generate_signature_header


@pytest.fixture(autouse=True)
def _secret(settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = SECRET


@dataclass(frozen=True)
class Sent:
    """A body and its signature, the answer to it, and with which outcome it is kept, if it is."""

    name: str
    body: Callable[[], str | bytes]
    status: int
    kept: str = ""
    signature: Callable[[str], str] = lambda text: SIGNED(text, SECRET)


def paid(**fields: Any) -> Callable[[], str]:
    """The event of a payment that would be booked, with more fields of the event."""
    return lambda: json.dumps(session_event(make_application()) | fields)


def customer(**fields: Any) -> Callable[[], str]:
    return lambda: json.dumps(event("customer.created", {"id": "cus_1"} | fields))


def ago(minutes: int) -> Callable[[str], str]:
    return lambda text: SIGNED(text, SECRET, int(time.time()) - 60 * minutes)


def older(text: str) -> str:
    return str(SIGNED(text, SECRET)).replace("v1=", "v0=")


def text(body: str | bytes) -> Callable[[], str | bytes]:
    return lambda: body


TABLE = [
    # --- who signed it, and when ---
    Sent("signed", paid(), 200, "booked"),
    Sent("not signed", paid(), 400, signature=lambda _: ""),
    Sent("signed by somebody else", paid(), 400, signature=lambda text: SIGNED(text, "whsec_no")),
    Sent("signed for another body", paid(), 400, signature=lambda _: SIGNED("{}", SECRET)),
    Sent("signed six minutes ago", paid(), 400, signature=ago(6)),
    Sent("signed four minutes ago", paid(), 200, "booked", ago(4)),
    Sent("a header of garbage", paid(), 400, signature=lambda _: "t=yesterday,v1=,,=;v0"),
    Sent("a header without moment", paid(), 400, signature=lambda text: SIGNED(text, SECRET)[13:]),
    Sent("a header of other letters", paid(), 400, signature=lambda _: "t=1,v1=äöü"),
    Sent("an older scheme", paid(), 400, signature=older),
    # --- what it is ---
    Sent("nothing", text(""), 400),
    Sent("no JSON", text("amount=1&currency=eur"), 400),
    Sent("half an event", text('{"id": "evt_1", "type": "invoice.paid", "data": {'), 400),
    Sent("no object", text("[1, 2, 3]"), 400),
    Sent("an object that is no event", text('{"hello": "world"}'), 400),
    Sent("an event without a type", text('{"id": "evt_1", "data": {}}'), 400),
    Sent("numbers that are none", text('{"id": "evt_1", "type": "x", "data": NaN}'), 400),
    Sent("bytes that are no text", text(b"\xff\xfe{}"), 400),
    Sent("brackets without end", text("[" * 100_000), 400),
    Sent("a body that is too large", customer(name="x" * 1_000_001), 413),
    Sent("a large body", customer(name="x" * 900_000), 200, "ignored"),
    Sent("characters that no database keeps", customer(name="a\0b\ud800"), 200, "ignored"),
    # --- what it says ---
    Sent("an unknown type", customer(), 200, "ignored"),
    Sent("an event without data", text('{"id": "evt_1", "type": "invoice.paid"}'), 200, "failed"),
    Sent("an empty object", lambda: json.dumps(event("invoice.paid", {})), 200, "failed"),
    Sent("an older API version", paid(api_version="2020-08-27"), 200, "booked"),
    Sent("a newer API version", paid(api_version="2031-01-31.future"), 200, "booked"),
    Sent("of test mode", paid(livemode=False), 200, "booked"),
    Sent("of live mode, here are tests", paid(livemode=True), 200, "ignored"),
]  # fmt: skip


@pytest.mark.parametrize("sent", TABLE, ids=lambda sent: sent.name)
def test_everything_that_is_sent_gets_its_answer(client: Client, sent: Sent) -> None:
    body = sent.body()
    signature = sent.signature(body if isinstance(body, str) else "")
    assert posted(client, body, signature) == sent.status
    assert list(ProviderEvent.objects.values_list("outcome", flat=True)) == [sent.kept] * bool(
        sent.kept
    )
    assert LedgerEntry.objects.count() == (sent.kept == "booked")


def posted(client: Client, body: str | bytes, signature: str) -> int:
    answer = client.generic(
        "POST", "/webhooks/stripe/", body, "application/json", HTTP_STRIPE_SIGNATURE=signature
    )
    return answer.status_code


def test_money_of_a_test_is_never_booked_by_a_live_portal(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = StripeProvider("rk_live_123", SECRET)
    monkeypatch.setattr("portal.webhooks.provider", lambda: live)
    tested = session_event(make_application())
    for mode, entries in ((False, 0), (True, 1)):
        body = json.dumps(tested | {"livemode": mode, "id": f"evt_{mode}"})
        assert posted(client, body, SIGNED(body, SECRET)) == 200
        assert LedgerEntry.objects.count() == entries
    refused = ProviderEvent.objects.get(outcome="ignored")
    assert "livemode is False" in refused.last_error


def test_nothing_is_accepted_without_a_secret(client: Client, settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = ""
    body = json.dumps(event("customer.created", {"id": "cus_1"}))
    assert posted(client, body, SIGNED(body, "")) == 400


def test_a_redelivery_is_answered_and_books_nothing_more(client: Client) -> None:
    body = paid()()
    for _ in range(3):
        assert posted(client, body, SIGNED(body, settings.STRIPE_WEBHOOK_SECRET)) == 200
    assert (ProviderEvent.objects.count(), LedgerEntry.objects.count()) == (1, 1)


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options"])
def test_only_a_post_is_a_webhook(client: Client, method: str) -> None:
    assert getattr(client, method)("/webhooks/stripe/").status_code == 405
