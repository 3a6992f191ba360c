"""The requests of the Stripe implementation, checked by Stripe's own description of its API."""

import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.embedded import free_port
from portal.lib.money import Money
from portal.payments.events.subscriptions import read_subscription
from portal.payments.providers import (
    CheckoutRequest,
    CustomerRequest,
    InvoiceRequest,
    ProviderError,
    ProviderRefusedError,
    Recurring,
    SignatureError,
    provider,
)
from portal.payments.providers.stripe import StripeProvider
from tests.programs import need

REQUEST = CheckoutRequest(
    reference="0b5a3c5e-8d1e-4f3e-9a53-0a7f8f1f0d11",
    description="Gold member 2026",
    amount=Money(20_000_00, "EUR"),
    email="billing@acme.example",
    success_url="https://portal.example/join/x/",
    cancel_url="https://portal.example/join/x/",
    attempt=0,
)
YEARLY = Recurring("5f0c2a52-3f0e-4a0e-8d8a-1f6f2f9e5d11", Money(20_000_00, "EUR"), "year")
CUSTOMER = CustomerRequest("c-1", "Acme GmbH", "billing@acme.example", "DE", reverse_charge=True)
INVOICE = InvoiceRequest(
    reference=REQUEST.reference,
    number="INV-2026-0001",
    customer_id="cus_1",
    lines=(("Gold member 2026", REQUEST.amount), ("VAT 25.5 %", Money(5_100_00, "EUR"))),
    days_until_due=30,
    remark="Thank you",
)
SINCE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def stripe_mock() -> Iterator[StripeProvider]:
    [program] = need("stripe-mock")
    port = free_port()
    secure = f"127.0.0.1:{free_port()}"
    command = [program, "-http-addr", f"127.0.0.1:{port}", "-https-addr", secure]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(port)
        yield StripeProvider("sk_test_123", "whsec_x", base_url=f"http://127.0.0.1:{port}")
    finally:
        process.kill()
        process.wait()


def _await(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_session_is_asked_for_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    hosted = stripe_mock.create_checkout(REQUEST)
    assert hosted.session_id
    assert hosted.raw["object"] == "checkout.session"


def test_a_session_can_be_fetched_and_ended(stripe_mock: StripeProvider) -> None:
    assert stripe_mock.fetch_checkout("cs_test_1").raw["object"] == "checkout.session"
    assert stripe_mock.expire_checkout("cs_test_1").raw["object"] == "checkout.session"


def test_money_goes_back_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    stripe_mock.refund("pi_123", Money(500, "EUR"), key="refund-1")


def test_a_subscription_is_begun_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    """With a coupon of ours, and a customer that Stripe knows."""
    request = replace(
        REQUEST, recurring=YEARLY, customer_id="cus_1", amount=Money(15_000_00, "EUR")
    )
    assert stripe_mock.create_checkout(request).raw["object"] == "checkout.session"


def test_customers_are_kept_as_stripe_describes_them(stripe_mock: StripeProvider) -> None:
    assert stripe_mock.create_customer(CUSTOMER)
    assert stripe_mock.create_customer(replace(CUSTOMER, country="", reverse_charge=False))
    assert stripe_mock.add_tax_id("cus_1", "DE", "DE811907980")
    assert not stripe_mock.add_tax_id("cus_1", "US", "12-3456789")
    assert stripe_mock.customer_portal("cus_1", "https://portal.example/organisation/")


def test_an_invoice_is_sent_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    invoice = stripe_mock.send_invoice(INVOICE)
    assert invoice.raw["object"] == "invoice"
    assert stripe_mock.fetch_invoice(invoice.invoice_id).invoice_id
    assert stripe_mock.void_invoice(invoice.invoice_id).raw["object"] == "invoice"


def test_a_subscription_is_ended_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    for raw in (
        stripe_mock.fetch_subscription("sub_1"),
        stripe_mock.cancel_subscription("sub_1", at_period_end=True),
        stripe_mock.cancel_subscription("sub_1", at_period_end=False),
        stripe_mock.keep_subscription("sub_1"),
        stripe_mock.change_price("sub_1", Money(30_00, "USD")),
    ):
        assert read_subscription(raw, SINCE).subscription_id


def test_what_moved_is_listed_as_stripe_describes_it(stripe_mock: StripeProvider) -> None:
    kinds = {movement.kind for movement in stripe_mock.movements(SINCE)}
    assert {"payment", "refund"} <= kinds
    assert [event["object"] for event in stripe_mock.events_since(SINCE)] == ["event"]


def test_the_money_of_an_invoice_goes_back_by_its_intent(stripe_mock: StripeProvider) -> None:
    """The mock's invoice has no intent, and that is told; the twin's has one."""
    with pytest.raises(ProviderRefusedError, match="not paid through"):
        stripe_mock.refund("in_1", Money(500, "EUR"), key="refund-2")


def test_a_request_that_stripe_does_not_know_is_an_error(stripe_mock: StripeProvider) -> None:
    """The proof that the mock checks: the same call with a wrong field is refused."""
    wrong: Any = {"mode": "payment", "prize": 1}
    with pytest.raises(Exception, match=r"additional properties|validat|unknown"):
        stripe_mock._client.v1.checkout.sessions.create(wrong)


def test_a_provider_that_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.payments.providers.stripe.RETRIES", 0)
    nowhere = StripeProvider("sk_test_1", "whsec_x", base_url=f"http://127.0.0.1:{free_port()}")
    for ask in (
        lambda: nowhere.create_checkout(REQUEST),
        lambda: nowhere.fetch_checkout("cs_1"),
        lambda: nowhere.expire_checkout("cs_1"),
        lambda: nowhere.refund("pi_1", Money(1, "EUR"), key="x"),
        lambda: nowhere.create_customer(CUSTOMER),
        lambda: nowhere.send_invoice(INVOICE),
        lambda: nowhere.cancel_subscription("sub_1", at_period_end=True),
        lambda: list(nowhere.movements(SINCE)),
        lambda: list(nowhere.events_since(SINCE)),
    ):
        with pytest.raises(ProviderError):
            ask()


@pytest.mark.parametrize("body", [b"[]", b"{}", b"no json", b"\xff"])
def test_a_signed_body_must_be_an_event(body: bytes) -> None:
    import stripe

    source = StripeProvider("sk_test_1", "whsec_x")
    text = body.decode(errors="replace")
    signature = stripe.WebhookSignature.generate_signature_header(text, "whsec_x")
    with pytest.raises(SignatureError):
        source.verified_event(body, signature)


def test_the_key_decides_on_the_provider(settings: object) -> None:
    assert provider().simulated
    settings.PAYMENT_PROVIDER = "stripe"  # type: ignore[attr-defined]
    settings.STRIPE_SECRET_KEY = "sk_test_1"  # type: ignore[attr-defined]
    assert not provider().simulated
