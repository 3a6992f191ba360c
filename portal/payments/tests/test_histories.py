"""Any sequence and repetition of a story's events comes to the same books."""

from typing import Any

import pytest

from portal.payments.tests.factories import make_order
from portal.payments.tests.histories import counts, hard_ones, play, told
from portal.payments.tests.scene import DAY, MONTH, START
from portal.payments.tests.stories import BOOKS_ONLY, STORIES

pytestmark = pytest.mark.django_db
COUNTS = counts()
IN_ORDER: dict[str, dict[str, object]] = {}


def in_order(name: str) -> dict[str, object]:
    if name not in IN_ORDER:
        IN_ORDER[name] = play(name, make_order, list(range(COUNTS[name])))
    return IN_ORDER[name]


@pytest.mark.parametrize("name", STORIES)
def test_no_sequence_of_events_changes_the_books(name: str) -> None:
    for sequence in hard_ones(name, COUNTS[name]):
        assert play(name, make_order, sequence) == in_order(name), sequence


def states(name: str) -> tuple[list[str], int]:
    """The states of the orders of a story, and the sum of its ledger."""
    result: Any = in_order(name)
    assert result["unhandled"] == []
    return [row[0] for row in result["orders"]], sum(row[1] for row in result["ledger"])


FULL = 500_00


@pytest.mark.parametrize(
    ("name", "expected", "total"),
    [
        ("paid at once", ["paid"], FULL),
        ("declined, then paid", ["paid"], FULL),
        ("unpaid", ["open"], 0),
        ("bank payment arrived", ["paid"], FULL),
        ("bank payment failed", ["open"], 0),
        ("bank payment failed, then card", ["paid"], FULL),
        ("page expired, then paid", ["paid"], FULL),
        ("no customer, no intent", ["paid"], FULL),
        ("paid in another currency", ["open"], 1_000),
        ("refunded in part", ["partly_refunded"], FULL * 3 // 4),
        ("refunded in full", ["refunded"], 0),
        ("refund failed", ["paid"], FULL),
        ("disputed", ["disputed"], 0),
        ("dispute won", ["paid"], FULL),
        ("dispute lost", ["disputed"], 0),
        ("inquiry of a bank", ["paid"], FULL),
        ("invoice paid late", ["paid"], FULL),
        ("invoice refunded", ["refunded"], 0),
        ("invoice of an older version", ["refunded"], 0),
        ("invoice voided", ["open"], 0),
        ("subscribed", ["paid"], FULL),
        ("renewed", ["paid", "paid"], 2 * FULL),
        ("card expired, then retried", ["paid", "paid"], 2 * FULL),
        ("cancelled here", ["paid"], FULL),
        ("cancelled there", ["paid"], FULL),
        ("given up", ["paid"], FULL),
        ("plan changed", ["paid"], FULL),
        ("subscription of an older version", ["paid"], FULL),
        ("renewal refunded", ["paid", "refunded"], FULL),
        ("subscription disputed", ["disputed"], 0),
    ],
)
def test_each_story_ends_as_it_should(name: str, expected: list[str], total: int) -> None:
    assert states(name) == (expected, total)


def test_every_story_has_its_end_written_down() -> None:
    mark = test_each_story_ends_as_it_should.pytestmark[0]  # type: ignore[attr-defined]
    assert [row[0] for row in mark.args[1]] == list(STORIES)


SUBSCRIPTIONS = {
    "subscribed": ("active", FULL, False, MONTH, None),
    "renewed": ("active", FULL, False, 2 * MONTH, None),
    "card expired, then retried": ("active", FULL, False, 2 * MONTH, None),
    "cancelled here": ("canceled", FULL, False, MONTH, 9 * DAY),
    "cancelled there": ("canceled", FULL, True, MONTH, MONTH),
    "given up": ("canceled", FULL, False, 2 * MONTH, MONTH + 20 * DAY),
    "plan changed": ("active", 2 * FULL, False, MONTH, None),
}


@pytest.mark.parametrize("name", SUBSCRIPTIONS)
def test_a_subscription_ends_as_its_story_says(name: str) -> None:
    result: Any = in_order(name)
    [row] = result["subscriptions"]
    state, price, ends, period_end, ended = SUBSCRIPTIONS[name]
    assert row[:5] == ("sub_1", state, price, "month", ends)
    assert row[6] == told(START + period_end)
    assert row[8] == (told(START + ended) if ended else None)


def test_each_failed_attempt_of_a_card_is_known_once() -> None:
    result: Any = in_order("card expired, then retried")
    retry = told(START + MONTH + 3 * DAY)
    assert [row[1:] for row in result["failed charges"]] == [
        (1, told(START + MONTH), retry),
        (2, retry, None),
    ]


def test_a_dispute_is_kept_with_its_end() -> None:
    for name, state in [("dispute won", "won"), ("dispute lost", "lost")]:
        result: Any = in_order(name)
        assert [row[:2] for row in result["disputes"]] == [("du_1", state)]
        assert result["disputes"][0][3] == told(START + 16 * DAY)


def test_each_refund_has_a_credit_note_and_a_failed_one_annuls_it() -> None:
    refunded: Any = in_order("refunded in full")
    assert [row[0] for row in refunded["credit notes"]] == [FULL // 4, FULL * 3 // 4]
    failed: Any = in_order("refund failed")
    assert failed["credit notes"] == [(FULL, 0, told(START + 5 * DAY + 2))]


def test_an_order_that_was_paid_twice_was_paid_at_the_first_time() -> None:
    forward = play("paid twice", make_order, [0, 1, 2, 3], stories=BOOKS_ONLY)
    assert play("paid twice", make_order, [3, 2, 1, 0], stories=BOOKS_ONLY) == forward
    orders: Any = forward["orders"]
    assert orders[0][1] == told(START + 2)
