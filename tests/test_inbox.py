"""What keeps the inbox whole: events that never came, rows that break, hands that are full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal import inbox, tasks, webhooks
from portal.celery import app
from portal.donations.hosted import hosted_page as donation_page
from portal.donations.tests.givers import letters, make_donation
from portal.inbox import fetch_missed_events, repair_checkouts
from portal.payments.actions.event import crossed
from portal.payments.actions.touched import Touched
from portal.payments.models import Checkout, LedgerEntry, Order, ProviderEvent
from portal.payments.providers import ProviderError
from portal.sponsors import hosted
from portal.sponsors.actions.application import release_place
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.models import Application
from tests.supporters import (
    SECRET,
    make_application,
    make_tier,
    post_event,
    refund_event,
    running_twin,
    session_event,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _signed(settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    cache.clear()


@pytest.fixture
def twin(tmp_path: Path, settings: Any) -> Iterator[Any]:
    """A twin whose webhooks never arrive."""
    with running_twin(tmp_path) as running:
        settings.TWIN_URL = running.url
        yield running


def opened(application: Application) -> Checkout:
    """The session that the pay button opened."""
    hosted.hosted_page(actor=None, application=application, at=timezone.now())
    return Checkout.objects.latest("pk")


def silent() -> int:
    Checkout.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    now = timezone.now()
    return repair_checkouts(silent_since=now - timedelta(minutes=2), at=now)


def test_what_the_provider_never_delivered_is_fetched(twin: Any) -> None:
    """A refund has no session that could be asked about: only its event tells of it."""
    session = opened(make_application())
    twin.sessions.pay(session.session_id)
    twin.sessions.refund(session.session_id)
    assert fetch_missed_events(at=timezone.now()) > 0
    assert Order.objects.get().state == "refunded"
    assert Application.objects.get().state == "refunded"
    assert not ProviderEvent.objects.unhandled().exists()
    assert fetch_missed_events(at=timezone.now()) == 0
    tasks.fetch_events()
    assert LedgerEntry.objects.count() == 2


def test_a_provider_that_tells_no_events_is_asked_again_later(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.payments.providers.stripe.RETRIES", 0)
    settings.TWIN_URL = "http://127.0.0.1:9"
    with pytest.raises(ProviderError):
        fetch_missed_events(at=timezone.now())
    tasks.fetch_events()


def test_a_session_without_news_is_followed_by_whoever_it_belongs_to(twin: Any) -> None:
    donation = make_donation()
    donation_page(actor=None, donation=donation, at=timezone.now())
    twin.sessions.pay(Checkout.objects.get().session_id)
    assert silent() == 1
    donation.refresh_from_db()
    assert donation.first_paid_at is not None
    assert letters("paid") == 1


def test_a_session_that_cannot_be_booked_stops_no_other(
    twin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tier = make_tier()
    broken, sound = (make_application(tier, legal_name=name) for name in ("Broken", "Sound"))
    for application in (broken, sound):
        twin.sessions.pay(opened(application).session_id)

    def follow(touched: Touched) -> None:
        if any(order.pk == broken.order_id for order in touched.orders):
            raise RuntimeError("a row that nobody foresaw")

    monkeypatch.setattr(inbox, "FOLLOWERS", [*inbox.FOLLOWERS, follow])
    assert silent() == 2
    sound.refresh_from_db()
    broken.refresh_from_db()
    assert (broken.state, sound.state) == ("payment", "active")
    assert not Checkout.objects.silent_since(timezone.now() - timedelta(minutes=2)).exists()


def test_a_repair_that_breaks_down_keeps_no_other_from_its_work(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(now: object) -> None:
        raise RuntimeError("a row that nobody foresaw")

    application = make_application()
    with monkeypatch.context() as patch:
        patch.setattr(webhooks, "_handle", lambda event_pk: None)  # its process died
        post_event(client, session_event(application))
    monkeypatch.setattr(tasks, "REPAIRS", [broken, *tasks.REPAIRS])
    tasks.repair_payments()
    application.refresh_from_db()
    assert application.state == "active"


def test_a_waiting_refund_that_cannot_be_booked_does_not_hold_back_its_payment(
    client: Client,
) -> None:
    application = make_application()
    post_event(client, refund_event(application, 0))  # nothing was given back: no entry can be
    post_event(client, session_event(application))
    application.refresh_from_db()
    assert application.state == "active"
    refund = ProviderEvent.objects.get(kind="refund.created")
    assert refund.outcome == "failed"
    assert "ledger_sign_matches_kind" in refund.last_error


def test_a_refund_and_its_payment_that_did_not_see_each_other_are_both_booked(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Handled in the same moment: each looked before the other was kept."""
    application = make_application()
    with monkeypatch.context() as patch:
        patch.setattr("portal.payments.actions.event._waiting_for", lambda provider, names: [])
        post_event(client, refund_event(application, 20_000_00))
        post_event(client, session_event(application))
    refund = ProviderEvent.objects.get(kind="refund.created")
    payment = ProviderEvent.objects.get(kind="checkout.session.completed")
    assert (refund.outcome, payment.outcome) == ("waiting", "booked")
    assert crossed(event_pk=payment.pk, touched=Touched(names=("pi_x",))) == []
    paid = (f"pi_{application.order_id}",)
    assert crossed(event_pk=payment.pk, touched=Touched(names=paid)) == [refund.pk]
    assert crossed(event_pk=refund.pk, touched=Touched(waits_for=paid)) == [refund.pk]
    assert inbox.process_event(refund.pk, at=timezone.now())
    assert Order.objects.get().state == "refunded"


def test_a_place_is_not_given_up_while_a_page_for_it_is_open(twin: Any) -> None:
    application = make_application(make_tier(capacity=1))
    opened(application)
    Application.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    release_place(application=application, at=timezone.now())
    assert Application.objects.get().state == "payment"


def test_a_page_that_was_opened_for_a_place_given_up_meanwhile_is_closed(
    twin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise somebody could pay for a place that another one has by now."""
    application = make_application()
    request_of = hosted._request

    def meanwhile(application: Application, order: Order) -> Any:
        Application.objects.update(state="released")
        return request_of(application, order)

    monkeypatch.setattr(hosted, "_request", meanwhile)
    with pytest.raises(NotPossibleError):
        opened(application)
    assert not Checkout.objects.exists()
    with twin.state.changing() as change:
        assert [row["status"] for row in change.find("checkout.session")] == ["expired"]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> webhooks.Desk:
    """One that nobody has crowded yet."""
    monkeypatch.setattr(webhooks, "DESK", webhooks.Desk())
    return webhooks.DESK


@pytest.fixture
def rings(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What is to be done in a moment, once somebody rang."""
    later: list[Callable[[], None]] = []
    monkeypatch.setattr(webhooks, "BELL", webhooks.Bell(later.append))
    return later


def test_while_an_event_is_in_work_and_a_moment_longer_the_worker_is_called(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    desk: webhooks.Desk,
    rings: list[Callable[[], None]],
) -> None:
    monkeypatch.setattr(app, "send_task", lambda name, **_: None)
    now, tier = 100.0, make_tier()
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr(webhooks, "time", clock)

    def outcome(name: str) -> str:
        body = session_event(make_application(tier, legal_name=name))
        assert post_event(client, body).status_code == 200
        return ProviderEvent.objects.latest("pk").outcome

    assert not desk.is_taken()
    assert outcome("while another is in work") == "received"
    desk.free()
    assert outcome("in the crowd") == "received"
    now += webhooks.CROWD_LASTS
    assert outcome("after it") == "booked"
    assert outcome("and the next") == "booked"


def test_a_crowd_of_events_calls_the_worker_once(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    desk: webhooks.Desk,
    rings: list[Callable[[], None]],
) -> None:
    called: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, **_: called.append(name))
    tier = make_tier()
    applications = [make_application(tier, legal_name=f"Firm {n}") for n in range(3)]
    assert not desk.is_taken()
    for application in applications:
        assert post_event(client, session_event(application)).status_code == 200
    assert called == [], "the answers do not wait for the call"
    [ring] = rings
    ring()
    assert called == ["portal.tasks.handle_events"]
    assert ProviderEvent.objects.unhandled().count() == 3
    tasks.handle_events()
    assert not ProviderEvent.objects.unhandled().exists()
    assert set(Application.objects.values_list("state", flat=True)) == {"active"}
    assert cache.add(inbox.WORKER_CALLED, "yes")  # the next one calls again
    webhooks.BELL.ring()
    assert len(rings) == 2, "who comes after the call rings again"


def test_a_worker_that_cannot_be_called_leaves_it_to_the_sweep(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    desk: webhooks.Desk,
    rings: list[Callable[[], None]],
) -> None:
    def refused(name: str, **_: object) -> None:
        raise OSError("no Redis")

    monkeypatch.setattr(app, "send_task", refused)
    assert not desk.is_taken()
    assert post_event(client, session_event(make_application())).status_code == 200
    rings[0]()
    assert ProviderEvent.objects.get().outcome == "received"
    tasks.repair_payments()
    assert ProviderEvent.objects.get().outcome == "booked"
