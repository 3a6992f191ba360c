"""Any sequence and repetition of a story's events comes to the same books, terms and letters.

The stories and what plays them are those of payments (`portal/payments/tests/histories.py`); here
a sign-up stands behind the order, and what it became is compared too.
"""

import re

import pytest
from django.utils import timezone

from portal.inbox import process_event
from portal.lib.models import OutboxMail
from portal.members.models import Organisation, Term
from portal.payments.models import Order
from portal.payments.tests.forest import Forest
from portal.payments.tests.histories import counts, hard_ones, play
from portal.payments.tests.stories import STORIES
from portal.sponsors.models import Application
from tests.supporters import make_application

pytestmark = pytest.mark.django_db
COUNTS = counts()
LATE = "renewal.charge:"  # not written where the payment was heard of before the refusal
IN_ORDER: dict[str, dict[str, object]] = {}
HISTORIES = 10_000
SOME = 2_000
PARTS = 8  # so that all workers of a run have their share
# One of each kind of ending for every day; the proof plays them all.
OFTEN = {
    "bank payment failed, then card",
    "refunded in part",
    "dispute won",
    "invoice refunded",
    "card expired, then retried",
    "cancelled here",
    "given up",
}
SPARE = 40  # a tree may end with a few histories fewer than it was asked for


def ordered() -> Order:
    order = make_application().order
    assert order is not None
    return order


def supporters() -> dict[str, object]:
    """What the sign-up became, and which letters were promised."""
    applications = Application.objects.order_by("order__provider_invoice_id")
    keys = OutboxMail.objects.exclude(key__startswith=LATE).values_list("key", flat=True)
    return {
        "terms": sorted(
            Term.objects.values_list(
                *("tier_name", "starts_at", "ends_at", "grace_until", "ended_at", "end_reason"),
                *("order__provider_invoice_id", "renews__order__provider_invoice_id"),
            ),
            key=repr,
        ),
        "lines": Term.objects.values("line").distinct().count(),
        "organisations": Organisation.objects.count(),
        "applications": list(applications.values_list("state", "order__provider_invoice_id")),
        "letters": sorted(masked(key) for key in keys),
    }


def happened(pk: int) -> object:
    return process_event(pk, at=timezone.now())


def masked(key: str) -> str:
    """Without what is different each time: the reference of an application."""
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "A", key)


def played(name: str, sequence: list[int]) -> dict[str, object]:
    return play(
        name,
        ordered,
        sequence,
        handle=happened,
        more=supporters,
    )


def in_order(name: str) -> dict[str, object]:
    if name not in IN_ORDER:
        IN_ORDER[name] = played(name, list(range(COUNTS[name])))
    return IN_ORDER[name]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in OFTEN else pytest.mark.proof)
        for name in sorted(STORIES, key=lambda name: (name not in OFTEN, name))
    ],
)
def test_no_sequence_of_events_changes_the_outcome(name: str) -> None:
    for sequence in hard_ones(name, COUNTS[name]):
        assert played(name, sequence) == in_order(name), sequence


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_of_two_thousand_changes_the_outcome(part: int) -> None:
    grow(part, SOME)


@pytest.mark.proof_full
@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_of_ten_thousand_changes_the_outcome(part: int) -> None:
    grow(part, HISTORIES)


def grow(part: int, histories: int) -> None:
    """Each story has its share; those of one or two events have fewer histories than that."""
    names = sorted(STORIES, key=COUNTS.__getitem__)[part::PARTS]
    left, grown = histories // PARTS + SPARE, {}
    for place, name in enumerate(names):
        forest = Forest(name, ordered, happened, supporters)
        grown[name] = forest.grow(-(-left // (len(names) - place)))
        left -= grown[name]
    assert sum(grown.values()) >= histories // PARTS, grown
