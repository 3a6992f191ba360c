"""The inbox: what the provider may send, in which sequence and how often."""

import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.lib.models import OutboxMail
from portal.members.models import Organisation, Term, Tier
from portal.payments.models import Checkout, LedgerEntry, Order, ProviderEvent
from portal.payments.providers import HostedCheckout
from portal.sponsors.actions.application import choose_payment, submit_application
from portal.sponsors.models import Application
from portal.tasks import repair_payments
from tests.supporters import (
    event,
    make_application,
    make_draft,
    make_tier,
    may_open,
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


def test_a_dispute_suspends_at_once_and_one_that_is_won_resumes(client: Client) -> None:
    application = make_application()
    order = application.order
    assert order is not None
    post_event(client, session_event(application))
    dispute: dict[str, Any] = {
        "id": "du_1",
        "object": "dispute",
        "charge": "ch_1",
        "reason": "fraudulent",
        "amount": order.amount_minor,
        "currency": "eur",
        "created": int(time.time()),
        "payment_intent": f"pi_{order.pk}",
        "status": "needs_response",
    }
    for _ in range(2):
        post_event(client, event("charge.dispute.funds_withdrawn", dispute))
    assert not shown()
    assert letters("suspended") == 1
    may_open(client, application)
    page = client.get(f"/join/{application.reference}/").content.decode()
    assert "Your bank took the payment back" in page
    won = dispute | {"status": "won"}
    post_event(client, event("charge.dispute.funds_reinstated", won))
    assert shown()
    assert letters("resumed") == 1
    assert LedgerEntry.objects.totals()["EUR"].minor == order.amount_minor


def test_a_dispute_that_is_lost_ends_the_support(client: Client) -> None:
    application = make_application()
    order = application.order
    assert order is not None
    post_event(client, session_event(application))
    dispute: dict[str, Any] = {
        "id": "du_1",
        "object": "dispute",
        "charge": "ch_1",
        "reason": "fraudulent",
        "amount": order.amount_minor,
        "currency": "eur",
        "created": int(time.time()),
        "payment_intent": f"pi_{order.pk}",
        "status": "lost",
    }
    post_event(client, event("charge.dispute.funds_withdrawn", dispute))
    post_event(client, event("charge.dispute.closed", dispute))
    assert not shown()
    assert Term.objects.get().end_reason == "disputed"
    assert letters("resumed") == 0


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
        patch.setattr("portal.sponsors.actions.settlement.settle_order", _broken)
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


def test_another_browser_gets_thanks_that_tell_nothing_private(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    page = client.get(f"/join/{application.reference}/back/").content.decode()
    assert "Thank you, the payment has arrived" in page
    for private in ("Acme", "20,000", application.owner_email):
        assert private not in page
    assert client.get(application.get_absolute_url()).status_code == 404
    may_open(client, application)
    back = client.get(f"/join/{application.reference}/back/")
    assert back["Location"] == application.get_absolute_url()


def charge_failed(application: Application, **fields: Any) -> dict[str, Any]:
    """As of the first payment of a subscription: it names no order."""
    order = application.order
    assert order is not None
    given = {
        "id": "ch_0",
        "amount": order.amount_minor,
        "currency": order.currency.lower(),
        "metadata": {},
        "billing_details": {"email": order.billing_email.upper()},
    }
    return event("charge.failed", given | fields)


def recurring(tier: Tier, **values: Any) -> Application:
    draft = make_draft(tier, **values)
    now = timezone.now()
    choose_payment(
        actor=None, application=draft, pays_by="card", coupon_code="", is_recurring=True, at=now
    )
    return submit_application(actor=None, application=draft, at=now)


def opened(application: Application) -> Checkout:
    order = application.order
    assert order is not None
    return Checkout.objects.create(order=order, provider="twin", session_id=f"cs_{order.pk}")


def test_a_declined_card_of_a_subscription_is_told_on_the_status_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = recurring(make_tier())
    page = opened(application)
    may_open(client, application)
    session = {"object": "checkout.session", "id": page.session_id, "status": "open"}
    still_open = HostedCheckout(page.session_id, "", session)
    source = SimpleNamespace(name="twin", fetch_checkout=lambda _: still_open)
    monkeypatch.setattr("portal.payments.asking.provider", lambda: source)
    monkeypatch.setattr("portal.payments.asking.ASK_AGAIN", timedelta())
    before = client.get(application.get_absolute_url()).content.decode()
    assert "The payment page was left before a payment went through" in before
    post_event(client, charge_failed(application, amount=1))
    post_event(client, charge_failed(application, billing_details={"email": None}))
    page.refresh_from_db()
    assert page.declined_at is None
    post_event(client, charge_failed(application))
    told = client.get(application.get_absolute_url()).content.decode()
    assert "<h1>The card was declined</h1>" in told
    assert "another card" in told


def test_a_declined_card_of_two_alike_is_told_to_none(client: Client) -> None:
    tier = make_tier()
    pages = [opened(recurring(tier, name=name)) for name in ("A", "B")]
    post_event(client, charge_failed(Application.objects.get(name="A")))
    for page in pages:
        page.refresh_from_db()
        assert page.declined_at is None
