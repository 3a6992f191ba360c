"""The requests of the Stripe implementation, checked by Stripe's own description of its API."""

import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from portal.embedded import free_port
from portal.lib.money import Money
from portal.payments.providers import CheckoutRequest, ProviderError, SignatureError, provider
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


def test_a_request_that_stripe_does_not_know_is_an_error(stripe_mock: StripeProvider) -> None:
    """The proof that the mock checks: the same call with a wrong field is refused."""
    wrong: Any = {"mode": "payment", "prize": 1}
    with pytest.raises(Exception, match=r"additional properties|validat|unknown"):
        stripe_mock._client.v1.checkout.sessions.create(wrong)


def test_a_provider_that_cannot_be_reached_is_named() -> None:
    nowhere = StripeProvider("sk_test_1", "whsec_x", base_url=f"http://127.0.0.1:{free_port()}")
    for ask in (
        lambda: nowhere.create_checkout(REQUEST),
        lambda: nowhere.fetch_checkout("cs_1"),
        lambda: nowhere.expire_checkout("cs_1"),
        lambda: nowhere.refund("pi_1", Money(1, "EUR"), key="x"),
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
