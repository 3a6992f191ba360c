"""What the provider tells becomes a donation, its letters and its figures, once."""

import json
import random
from collections.abc import Callable

import pytest

from portal.donations import figures
from portal.donations.actions.settlement import settle_donation
from portal.donations.models import Donation
from portal.donations.sweeps import settle_lost
from portal.donations.tests.givers import (
    FIFTY,
    deliver,
    letters,
    make_donation,
    make_paid,
    scene_of,
)
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.payments.actions.event import handle_event, store_event
from portal.payments.models import LedgerEntry, Order
from portal.payments.tests import stories
from portal.payments.tests.scene import DAY, MONTH, START, Scene
from portal.payments.tests.shapes import Thing

pytestmark = pytest.mark.django_db


def test_a_redelivered_webhook_books_one_donation_and_sends_one_letter() -> None:
    """A comparable site booked three donations and sent three mails."""
    donation = make_donation()
    scene = scene_of(donation)
    scene.session("completed", 2)
    for number in range(3):
        deliver(scene.events[0])
        deliver(scene.events[0] | {"id": f"evt_again_{number}"})
    assert Donation.objects.given().count() == 1
    assert LedgerEntry.objects.count() == 1
    assert (letters(), letters("paid")) == (1, 1)
    assert figures.figures().sums == [FIFTY]


def test_each_period_of_a_recurring_donation_is_booked_and_thanked_once() -> None:
    donation = make_donation("month")
    scene = scene_of(donation)
    scene.begun()
    scene.period_paid(1, MONTH)
    deliver(*scene.events, *scene.events)
    assert donation.orders().count() == 2
    assert letters("paid") == 2
    assert figures.figures().sums == [Money(100_00, "EUR")]
    assert figures.figures().donations == 1


def two_months(scene: Scene) -> None:
    scene.begun()
    scene.period_paid(1, MONTH)


def failed_then_cancelled(scene: Scene) -> None:
    scene.begun()
    scene.period("payment_failed", 1, MONTH, next_payment_attempt=START + MONTH + 3 * DAY)
    scene.subscribed("updated", "past_due", MONTH + 1, month=1)
    scene.subscribed("deleted", "canceled", MONTH + DAY, month=1)


TOLD: dict[str, tuple[str, Callable[[Scene], None]]] = {
    "paid": ("", stories.paid),
    "waits for the bank": ("", stories.async_succeeded),
    "refunded": ("", stories.refunded),
    "dispute won": ("", stories.dispute_won),
    "two months": ("month", two_months),
}


@pytest.mark.parametrize("name", TOLD)
def test_any_sequence_of_the_events_gives_the_same_donation(name: str) -> None:
    interval, tell = TOLD[name]
    seen = set()
    for seed in range(4):
        donation = make_donation(interval)
        scene = scene_of(donation)
        tell(scene)
        mixed = [*scene.events, *scene.events] if seed else scene.events
        if seed:
            random.Random(seed).shuffle(mixed)
        mark = OutboxMail.objects.count()
        deliver(*[_own(body, donation) for body in mixed])
        donation.refresh_from_db()
        sent = OutboxMail.objects.count() - mark
        states = sorted(donation.orders().values_list("state", "amount_minor"))
        seen.add((donation.first_paid_at, sent, str(states)))
    assert len(seen) == 1
    assert next(iter(seen))[0] is not None


def _own(body: Thing, donation: Donation) -> Thing:
    """The events of a story with names of their own, so that stories do not meet."""
    text = json.dumps(body)
    for prefix in ("evt_", "cs_", "pi_", "ch_", "re_", "du_", "in_", "sub_", "cus_", "txn_"):
        text = text.replace(f'"{prefix}', f'"{prefix}{donation.pk}_')
    found: Thing = json.loads(text)
    return found


def test_the_end_and_a_failed_charge_are_told_once_each() -> None:
    donation = make_donation("month")
    scene = scene_of(donation)
    failed_then_cancelled(scene)
    deliver(*scene.events, *scene.events)
    assert (letters("charge"), letters("ended")) == (1, 1)
    donation.refresh_from_db()
    assert not donation.is_running


def test_late_news_of_a_charge_that_was_paid_since_says_so() -> None:
    donation = make_donation("month")
    scene = scene_of(donation)
    scene.begun()
    scene.period("payment_failed", 0, 1)
    scene.period_paid(1, MONTH)
    scene.period("payment_failed", 1, MONTH - 1)
    deliver(*scene.events)
    letter = OutboxMail.objects.get(key__startswith="donation.charge")
    assert "there is nothing for you to do" in letter.text


def test_unpaid_is_no_donation_and_a_refusal_is_told_once() -> None:
    donation = make_donation(is_named=True)
    scene = scene_of(donation)
    stories.async_failed(scene)
    deliver(scene.events[0])
    assert not Donation.objects.named().exists()
    assert letters() == 0
    deliver(*scene.events, *scene.events)
    assert (letters(), letters("failed")) == (1, 1)
    assert settle_lost() == 0


def test_a_refund_takes_off_the_page_and_out_of_the_sums() -> None:
    donation = make_paid(is_named=True)
    assert Donation.objects.named().count() == 1
    scene = scene_of(donation)
    stories.refunded(scene)
    deliver(*scene.events)
    assert not Donation.objects.named().exists()
    assert figures.figures().sums == [Money(0, "EUR")]
    assert letters("refunded") == 2


def test_a_lost_settlement_is_found_by_the_sweep() -> None:
    donation = make_donation()
    scene = scene_of(donation)
    scene.session("completed", 2)
    stored = store_event(provider="twin", event=scene.events[0])
    handle_event(event_pk=stored.pk, at=donation.created_at)
    assert letters() == 0
    assert (settle_lost(), settle_lost()) == (1, 0)
    assert letters("paid") == 1


def test_one_that_cannot_be_settled_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make_donation(), make_donation()
    for donation in (first, second):
        Order.objects.filter(pk=donation.order_id).update(
            paid_at=donation.created_at, receipt_number=f"2026-{donation.pk}", state="paid"
        )

    def broken(*, donation_pk: int) -> None:
        if donation_pk == first.pk:
            raise RuntimeError("the power went out")
        settle_donation(donation_pk=donation_pk)

    monkeypatch.setattr("portal.donations.sweeps.settle_donation", broken)
    assert settle_lost() == 1
    assert letters("paid") == 1
