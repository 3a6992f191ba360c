"""N+5 sign-ups at the same moment for N places sell N: threads with connections of their own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.members.models import Tier
from portal.payments.actions.coupon import create_coupon
from portal.payments.models import Coupon, Invoice, Order
from portal.sponsors.actions.application import (
    TierFullError,
    choose_payment,
    submit_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState, PaysBy
from portal.sponsors.places import places_left
from tests.supporters import make_draft, make_tier

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]
ALL, CARD, INVOICE = "both in turn", PaysBy.CARD.value, PaysBy.INVOICE.value
MORE = 5


def at_once(acts: list[Callable[[], object]]) -> Counter[str]:
    """All of them at the same moment; how often each result came."""
    start, results = threading.Barrier(len(acts)), []

    def run(act: Callable[[], object]) -> None:
        try:
            with connection.cursor() as cursor:  # connected before the start
                cursor.execute("SELECT 1")
            start.wait()
            act()
            results.append("sold")
        except (TierFullError, NotPossibleError) as error:
            results.append(type(error).__name__)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(results)


def drafts(tier: Tier, count: int, pays_by: str, coupon: str = "") -> list[Application]:
    """Each of another company; paid by card, by invoice, or both in turn."""
    ways = [CARD, INVOICE] if pays_by == ALL else [pays_by]
    return [
        choose_payment(
            actor=None,
            application=make_draft(tier, legal_name=f"Firm {n} GmbH", vat_number=""),
            pays_by=ways[n % len(ways)],
            coupon_code=coupon,
            at=timezone.now(),
        )
        for n in range(count)
    ]


def submitted(draft: Application) -> Callable[[], object]:
    return lambda: submit_application(actor=None, application=draft, at=timezone.now())


@pytest.mark.parametrize("pays_by", [CARD, INVOICE, ALL])
@pytest.mark.parametrize("places", [1, 5, 20])
def test_n_plus_five_sign_ups_for_n_places_sell_n(places: int, pays_by: str) -> None:
    tier = make_tier(capacity=places)
    sent = drafts(tier, places + MORE, pays_by)
    assert at_once([submitted(draft) for draft in sent]) == {"sold": places, "TierFullError": MORE}
    held = Application.objects.filter(state=ApplicationState.PAYMENT)
    assert (held.count(), places_left(tier)) == (places, 0)
    assert Application.objects.filter(state=ApplicationState.DRAFT).count() == MORE
    assert Order.objects.count() == held.values("order").distinct().count() == places
    assert OutboxMail.objects.filter(key__startswith="application.received").count() == places
    assert_gapless(held.filter(pays_by=INVOICE).count())


def assert_gapless(count: int) -> None:
    """Invoices have numbers in a row: who got no place took none."""
    numbers = sorted(Invoice.objects.values_list("number", flat=True))
    assert [int(number.rpartition("-")[2]) for number in numbers] == list(range(1, count + 1))


@pytest.mark.parametrize("pays_by", [CARD, INVOICE])
def test_places_given_up_are_sold_once_to_old_and_new(pays_by: str) -> None:
    """Those who had a place and come back, and those who are new, at the same moment."""
    tier = make_tier(capacity=4)
    old = drafts(tier, 4, pays_by)
    assert at_once([submitted(draft) for draft in old]) == {"sold": 4}
    Application.objects.update(state=ApplicationState.RELEASED)
    Invoice.objects.update(voided_at=timezone.now())
    everybody = [*old, *drafts(tier, MORE, pays_by)]
    results = at_once([submitted(draft) for draft in everybody])
    assert results == {"sold": 4, "TierFullError": MORE}
    assert places_left(tier) == 0


def test_a_button_pressed_ten_times_at_once_takes_one_place() -> None:
    tier = make_tier(capacity=5)
    [draft] = drafts(tier, 1, INVOICE)
    assert at_once([submitted(draft) for _ in range(10)]) == {"sold": 10}
    assert places_left(tier) == 4
    assert (Order.objects.count(), Invoice.objects.count()) == (1, 1)


def test_a_coupon_for_three_lowers_three_orders(erin: User) -> None:
    create_coupon(
        actor=erin,
        code="THREE",
        percent=10,
        valid_from=timezone.now() - timedelta(days=1),
        uses=3,
    )
    tier = make_tier(capacity=20)
    sent = drafts(tier, 3 + MORE, ALL, coupon="THREE")
    results = at_once([submitted(draft) for draft in sent])
    assert results == {"sold": 3, "NotPossibleError": MORE}
    assert Order.objects.filter(coupon=Coupon.objects.get()).count() == 3
    assert places_left(tier) == 17
