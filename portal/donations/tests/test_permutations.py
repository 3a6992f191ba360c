"""Any sequence and repetition of a story's events comes to the same donation and letters.

The stories are those of payments, the ones of invoices left out: nobody gives by invoice.
"""

from __future__ import annotations

import pytest
from django.utils import timezone

from portal.donations.models import Donation
from portal.donations.tests.givers import make_donation
from portal.inbox import process_event
from portal.lib.models import OutboxMail
from portal.payments.models import Order
from portal.payments.tests.factories import PRICE
from portal.payments.tests.forest import Forest
from portal.payments.tests.histories import counts, hard_ones, play
from portal.payments.tests.stories import ONE_OFF, SUBSCRIBED

pytestmark = pytest.mark.django_db
STORIES = ONE_OFF | SUBSCRIBED
COUNTS = counts()
HISTORIES = 2_000
SOME = 400


def placed(name: str) -> Order:
    interval = "month" if name in SUBSCRIBED else ""
    return make_donation(interval, PRICE).order


def donors() -> dict[str, object]:
    """What the donation became, and which letters were promised."""
    donation = Donation.objects.get()
    keys = " ".join(sorted(OutboxMail.objects.values_list("key", flat=True)))
    keys = keys.replace(str(donation.reference), "D")
    for place, order in enumerate(donation.orders().order_by("paid_at", "provider_invoice_id")):
        keys = keys.replace(str(order.reference), f"O{place}")
    return {"given": donation.first_paid_at, "letters": sorted(keys.split())}


def happened(pk: int) -> object:
    return process_event(pk, at=timezone.now())


def played(name: str, sequence: list[int]) -> dict[str, object]:
    return play(name, lambda: placed(name), sequence, handle=happened, more=donors)


@pytest.mark.parametrize(
    "name", ["bank payment failed, then card", "card expired, then retried", "given up"]
)
def test_no_sequence_of_events_changes_the_outcome(name: str) -> None:
    expected = played(name, list(range(COUNTS[name])))
    for sequence in hard_ones(name, COUNTS[name]):
        assert played(name, sequence) == expected, sequence


@pytest.mark.proof
def test_no_history_of_four_hundred_changes_the_outcome() -> None:
    grow(SOME)


@pytest.mark.proof_full
def test_no_history_of_two_thousand_changes_the_outcome() -> None:
    grow(HISTORIES)


def grow(histories: int) -> None:
    left, played = histories, {}
    for place, name in enumerate(sorted(STORIES, key=COUNTS.__getitem__)):
        forest = Forest(name, lambda name=name: placed(name), happened, donors)  # type: ignore[misc]
        played[name] = forest.grow(-(-left // (len(STORIES) - place)))
        left -= played[name]
    assert sum(played.values()) >= histories, played
