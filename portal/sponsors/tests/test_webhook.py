"""The inbox: what the provider may send, in which sequence and how often."""

import time
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.lib.models import OutboxMail
from portal.members.models import Organisation, Term
from portal.payments.models import Checkout, LedgerEntry, Order, ProviderEvent
from portal.sponsors.models import Application
from portal.tasks import repair_payments
from tests.supporters import (
    event,
    make_application,
    make_tier,
    post_event,
    refund_event,
    session_event,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_webhooks")]


def shown() -> bool:
    return Organisation.objects.supported(timezone.now()).exists()


def letters(kind: str) -> int:
    return OutboxMail.objects.filter(key__startswith=f"application.{kind}:").count()


def test_a_payment_makes_a_supporter_at_once(client: Client) -> None:
    application = make_application()
    assert not shown()
    assert post_event(client, session_event(application)).status_code == 200
    application.refresh_from_db()
    assert application.state == "active"
    assert shown()
    assert "Acme" in client.get("/supporters/").content.decode()
    order = Order.objects.get()
    assert order.state == "paid"
    assert order.receipt_number == f"{timezone.now().year}-0001"
    assert letters("paid") == 1


def test_a_redelivered_webhook_books_once(client: Client) -> None:
    application = make_application()
    body = session_event(application)
    for _ in range(3):
        assert post_event(client, body).status_code == 200
    assert ProviderEvent.objects.count() == 1
    assert LedgerEntry.objects.count() == 1
    assert Term.objects.count() == 1
    assert letters("paid") == 1


def test_two_events_about_one_payment_book_once(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    post_event(client, session_event(application, "async_payment_succeeded"))
    assert LedgerEntry.objects.count() == 1


def test_unpaid_is_not_booked_as_paid(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application, payment_status="unpaid"))
    assert not LedgerEntry.objects.exists()
    assert not shown()
    assert Checkout.objects.get().state == "processing"
    assert letters("paid") == 0


def test_a_bank_payment_counts_when_the_bank_says_so(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application, payment_status="unpaid"))
    post_event(client, session_event(application, "async_payment_succeeded"))
    assert shown()


def test_a_refused_bank_payment_is_told_in_a_letter(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application, payment_status="unpaid"))
    post_event(client, session_event(application, "async_payment_failed", payment_status="unpaid"))
    assert not shown()
    assert letters("failed") == 1


def test_a_declined_card_makes_nobody_a_supporter(client: Client) -> None:
    application = make_application()
    assert application.order is not None
    intent = {"id": "pi_x", "metadata": {"order": str(application.order.reference)}}
    assert post_event(client, event("payment_intent.payment_failed", intent)).status_code == 200
    assert not shown()


def test_a_full_refund_takes_off_the_page_at_once(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    post_event(client, refund_event(application, 20_000_00))
    assert not shown()
    assert "Acme" not in client.get("/supporters/").content.decode()
    application.refresh_from_db()
    assert application.state == "refunded"
    assert letters("refunded") == 1


def test_a_refund_of_a_part_leaves_the_term(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    post_event(client, refund_event(application, 1_000_00))
    assert shown()
    assert Order.objects.get().state == "partly_refunded"


def test_a_refund_that_fails_brings_the_supporter_back(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    post_event(client, refund_event(application, 20_000_00))
    post_event(client, refund_event(application, 20_000_00, "failed", status="failed"))
    assert shown()
    assert LedgerEntry.objects.totals()["EUR"].minor == 20_000_00


def test_a_refund_before_its_payment_waits_for_it(client: Client) -> None:
    application = make_application()
    assert post_event(client, refund_event(application, 20_000_00)).status_code == 200
    assert ProviderEvent.objects.get().outcome == "waiting"
    post_event(client, session_event(application))
    assert not ProviderEvent.objects.unhandled().exists()
    assert not shown()
    assert Order.objects.get().state == "refunded"


def test_an_event_may_come_before_its_session_is_known(client: Client) -> None:
    """The request that opened the session was killed before it could keep the session's id."""
    application = make_application()
    assert not Checkout.objects.exists()
    post_event(client, session_event(application))
    assert Checkout.objects.get().state == "paid"
    assert shown()


@pytest.mark.parametrize(
    "fields",
    [
        {"customer": None},
        {"payment_intent": {"id": "pi_expanded", "object": "payment_intent"}},
        {"payment_intent": None},
        {"metadata": None},
        {"client_reference_id": None},
    ],
)
def test_newer_shapes_of_a_session_are_booked(client: Client, fields: dict[str, Any]) -> None:
    application = make_application()
    assert post_event(client, session_event(application, **fields)).status_code == 200
    assert shown()


def test_a_session_of_somebody_else_is_ignored(client: Client) -> None:
    application = make_application()
    body = session_event(application, client_reference_id="cart-17", metadata={})
    assert post_event(client, body).status_code == 200
    assert ProviderEvent.objects.get().outcome == "ignored"
    assert not shown()


def test_an_unknown_type_is_stored_and_answered(client: Client) -> None:
    assert post_event(client, event("customer.created", {"id": "cus_1"})).status_code == 200
    stored = ProviderEvent.objects.get()
    assert (stored.kind, stored.outcome) == ("customer.created", "ignored")


def test_a_malformed_event_is_kept_for_another_try(client: Client) -> None:
    body = event("checkout.session.completed", {"status": "complete", "payment_status": "paid"})
    assert post_event(client, body).status_code == 200
    stored = ProviderEvent.objects.get()
    assert stored.outcome == "failed"
    assert "MalformedEventError" in stored.last_error


def test_a_wrong_signature_is_refused(client: Client) -> None:
    body = session_event(make_application())
    assert post_event(client, body, secret="whsec_of_somebody_else").status_code == 400
    assert not ProviderEvent.objects.exists()
    unsigned = client.post("/webhooks/stripe/", data="{}", content_type="application/json")
    assert unsigned.status_code == 400


def test_an_old_signature_is_refused(client: Client) -> None:
    body = session_event(make_application())
    assert post_event(client, body, at=int(time.time()) - 400).status_code == 400
    assert not ProviderEvent.objects.exists()


def test_nothing_is_accepted_without_a_secret(client: Client, settings: Any) -> None:
    body = session_event(make_application())
    settings.STRIPE_WEBHOOK_SECRET = ""
    assert post_event(client, body, secret="").status_code == 400


def test_a_get_is_not_a_webhook(client: Client) -> None:
    assert client.get("/webhooks/stripe/").status_code == 405


def test_a_huge_body_is_refused(client: Client) -> None:
    body = event("customer.created", {"id": "x" * 1_100_000})
    assert post_event(client, body).status_code == 413


@pytest.mark.parametrize(
    "fields",
    [
        {"amount_total": 1},
        {"amount_total": 1_999_999},
        {"currency": "jpy"},
        {"amount_total": 500, "currency": "usd"},
    ],
)
def test_another_amount_does_not_pay_the_order(client: Client, fields: dict[str, Any]) -> None:
    application = make_application()
    post_event(client, session_event(application, **fields))
    assert not shown()
    assert LedgerEntry.objects.count() == 1  # the money is there, and the treasurer sees it
    assert Order.objects.get().state in {"short", "open"}


@pytest.mark.parametrize("amount", [-500, 0, "2000000", True])
def test_an_impossible_amount_is_never_booked(client: Client, amount: object) -> None:
    application = make_application()
    post_event(client, session_event(application, amount_total=amount))
    assert not LedgerEntry.objects.exists()
    assert not shown()


def test_a_failed_handler_is_tried_again_by_the_sweep(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = make_application()
    with monkeypatch.context() as patch:
        patch.setattr("portal.sponsors.inbox.settle_order", _broken)
        assert post_event(client, session_event(application)).status_code == 200
    stored = ProviderEvent.objects.get()
    assert stored.outcome == "failed"
    assert not LedgerEntry.objects.exists()  # one transaction: all of it or nothing
    ProviderEvent.objects.update(next_attempt_at=timezone.now())
    repair_payments()
    assert shown()


def _broken(**_: object) -> None:
    raise RuntimeError("the power went out")


def test_a_lost_settlement_is_found_by_the_sweep(client: Client) -> None:
    application = make_application()
    from portal.payments.actions.event import handle_event, store_event

    stored = store_event(provider="twin", event=session_event(application))
    handle_event(event_pk=stored.pk, at=timezone.now())
    assert not shown()
    repair_payments()
    assert shown()


def test_a_supporter_who_did_not_agree_is_not_named(client: Client) -> None:
    application = make_application(is_listed=False)
    post_event(client, session_event(application))
    assert Application.objects.get().state == "active"
    for path in ("/supporters/", "/supporters.json", "/supporters/wall.svg", "/members/"):
        assert "Acme" not in client.get(path).content.decode()


def test_a_payment_in_yen_has_no_cents(client: Client) -> None:
    from portal.lib.money import Money

    tier = make_tier("silver", price=Money(800_000, "JPY"))
    application = make_application(tier)
    post_event(client, session_event(application))
    assert LedgerEntry.objects.totals() == {"JPY": Money(800_000, "JPY")}
    assert shown()
