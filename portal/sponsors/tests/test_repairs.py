"""What is lost on the way is found again: sweeps, the status page, the replay command."""

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from portal import tasks
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.members.models import Organisation
from portal.payments.actions.payment import record_offline_payment
from portal.payments.models import Checkout, LedgerEntry, Order, ProviderEvent
from portal.sponsors import sweeps
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application
from portal.sponsors.places import places_left
from portal.tasks import repair_payments
from tests.supporters import (
    make_application,
    make_draft,
    make_tier,
    may_open,
    post_event,
    running_twin,
    session_event,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_webhooks")]


@pytest.fixture
def twin(tmp_path: Path, settings: Any) -> Iterator[Any]:
    """A twin whose webhooks never arrive."""
    with running_twin(tmp_path) as running:
        settings.TWIN_URL = running.url
        yield running


def shown() -> bool:
    return Organisation.objects.supported(timezone.now()).exists()


def to_pay(client: Client, application: Application) -> str:
    """The id of the session that the pay button opened."""
    may_open(client, application)
    answer = client.post(f"/join/{application.reference}/pay/")
    assert "/pay/cs_twin_" in answer.headers["Location"]
    return Checkout.objects.latest("pk").session_id


def silent(minutes: int) -> None:
    Checkout.objects.update(asked_at=timezone.now() - timedelta(minutes=minutes))


def test_the_status_page_knows_before_the_webhook(client: Client, twin: Any) -> None:
    application = make_application()
    twin.sessions.pay(to_pay(client, application))
    silent(1)
    page = client.get(f"/join/{application.reference}/").content.decode()
    assert "Acme is a supporter" in page
    assert shown()


def test_nobody_who_has_just_paid_reads_that_nothing_was_taken(client: Client, twin: Any) -> None:
    application = make_application()
    session = to_pay(client, application)
    Checkout.objects.update(declined_at=timezone.now())
    twin.sessions.pay(session)
    path = f"/join/{application.reference}/"
    for page in (client.get(path), Client().get(f"{path}back/")):
        text = page.content.decode()
        assert "Your payment is being confirmed" in text
        assert 'data-await="1"' in text
        assert "Nothing was" not in text
    silent(1)
    assert "Acme is a supporter" in client.get(path).content.decode()


def test_a_provider_that_is_silent_leaves_it_open_whether_it_was_paid(
    client: Client, twin: Any, settings: Any
) -> None:
    application = make_application()
    to_pay(client, application)
    silent(1)
    path = f"/join/{application.reference}/"
    assert "was left before a payment went through" in client.get(path).content.decode()
    silent(1)
    settings.TWIN_URL = "http://127.0.0.1:9"
    assert "Your payment is being confirmed" in client.get(path).content.decode()


def test_a_visit_that_paid_is_asked_about_until_its_money_is_told(
    client: Client, twin: Any
) -> None:
    """A subscription: its session is told before its invoice."""
    application = make_application()
    twin.sessions.pay(to_pay(client, application))
    Checkout.objects.update(state="paid")
    path = f"/join/{application.reference}/"
    assert "Your payment is being confirmed" in client.get(path).content.decode()
    silent(1)
    assert "Acme is a supporter" in client.get(path).content.decode()


def test_a_webhook_that_never_comes_is_repaired(client: Client, twin: Any) -> None:
    twin.sessions.pay(to_pay(client, make_application()))
    silent(5)
    repair_payments()
    assert shown()
    for _ in range(2):
        repair_payments()
    assert LedgerEntry.objects.count() == 1
    assert OutboxMail.objects.filter(key__startswith="application.paid:").count() == 1


def test_the_pay_button_opens_one_session_only(client: Client, twin: Any) -> None:
    application = make_application()
    first = to_pay(client, application)
    assert to_pay(client, application) == first
    assert Checkout.objects.count() == 1


def test_nothing_is_to_be_paid_twice(client: Client, twin: Any) -> None:
    application = make_application()
    twin.sessions.pay(to_pay(client, application))
    answer = client.post(f"/join/{application.reference}/pay/", follow=True)
    assert "Acme is a supporter" in answer.content.decode()


def test_an_expired_session_gives_a_new_one(client: Client, twin: Any) -> None:
    application = make_application()
    first = to_pay(client, application)
    twin.sessions.expire(first)
    assert to_pay(client, application) != first


def test_a_provider_that_does_not_answer_is_said(client: Client, settings: Any) -> None:
    settings.TWIN_URL = "http://127.0.0.1:9"
    application = make_application()
    may_open(client, application)
    answer = client.post(f"/join/{application.reference}/pay/", follow=True)
    assert "cannot be reached now" in answer.content.decode()


def test_an_overdue_place_is_free_once_its_page_is_closed(client: Client, twin: Any) -> None:
    tier = make_tier(capacity=1)
    application = make_application(tier)
    session = to_pay(client, application)
    Application.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    tasks.repair_payments()
    application.refresh_from_db()
    assert application.state == "released"
    assert places_left(tier) == 1
    assert twin.sessions.fetch(session)["status"] == "expired"
    assert client.get(f"/join/{application.reference}/payment/").status_code == 200
    assert (
        client.post(f"/join/{application.reference}/payment/", {"pays_by": "card"}).status_code
        == 302
    )
    assert places_left(tier) == 0


def test_a_place_paid_in_the_last_second_is_kept(client: Client, twin: Any) -> None:
    application = make_application(make_tier(capacity=1))
    twin.sessions.pay(to_pay(client, application))
    Application.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    assert sweeps.release_overdue_places(at=timezone.now()) == 1
    application.refresh_from_db()
    assert application.state == "active"


def test_a_place_stays_held_while_the_provider_is_silent(
    client: Client, twin: Any, settings: Any
) -> None:
    application = make_application()
    to_pay(client, application)
    Application.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    settings.TWIN_URL = "http://127.0.0.1:9"
    silent(5)
    repair_payments()
    application.refresh_from_db()
    assert application.state == "payment"


def test_a_draft_that_nobody_came_back_to_is_forgotten() -> None:
    make_draft(make_tier())
    tasks.forget_abandoned_drafts()
    assert Application.objects.exists()
    Application.objects.update(changed_at=timezone.now() - timedelta(days=31))
    tasks.forget_abandoned_drafts()
    assert not Application.objects.exists()


def test_stored_events_can_be_replayed(client: Client) -> None:
    application = make_application()
    post_event(client, session_event(application))
    said = io.StringIO()
    call_command("replay_webhooks", "--all", stdout=said)
    assert "booked" in said.getvalue()
    assert LedgerEntry.objects.count() == 1
    assert Order.objects.get().state == "paid"
    call_command("replay_webhooks", ProviderEvent.objects.get().event_id, stdout=said)
    call_command("replay_webhooks", stdout=said)
    with pytest.raises(CommandError, match="evt_none"):
        call_command("replay_webhooks", "evt_none")


def test_an_order_that_cannot_be_settled_stops_no_other(
    erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tier = make_tier()
    broken, sound = (make_application(tier, legal_name=name) for name in ("Broken", "Sound"))
    for application in (broken, sound):
        order = application.order
        assert order is not None
        record_offline_payment(
            actor=erin,
            order=order,
            amount=order.amount,
            statement_ref=f"line {order.pk}",
            at=timezone.now(),
        )

    def fails_for_the_first(*, order: Order) -> None:
        if order.pk == broken.order_id:
            raise RuntimeError("a row that nobody foresaw")
        settle_order(order=order)

    monkeypatch.setattr("portal.sponsors.sweeps.settle_order", fails_for_the_first)
    assert sweeps.settle_lost_orders() == 1
    sound.refresh_from_db()
    assert sound.state == "active"
