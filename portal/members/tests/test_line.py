"""Where the terms of a line lie: tables for the pure core."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from portal.members.line import Bought, Place, left_of, places

GRACE = timedelta(days=30)
DAY = timedelta(days=1)


def on(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


def placed(*bought: Bought) -> dict[int, Place]:
    """The same, whatever the sequence in which they are given."""
    found = [places(some, GRACE) for some in permutations(bought)]
    assert all(other == found[0] for other in found)
    return found[0]


FIRST = Bought(1, on(2026, 1, 10), 12, 100_00)


def test_a_first_term_begins_with_its_payment_and_has_a_grace() -> None:
    place = placed(FIRST)[1]
    assert (place.starts_at, place.ends_at) == (on(2026, 1, 10), on(2027, 1, 10))
    assert place.grace_until == on(2027, 2, 9)
    assert place.follows is None


@pytest.mark.parametrize(
    ("paid_at", "starts_at", "grace_until"),
    [
        (on(2026, 11, 1), on(2027, 1, 10), on(2027, 1, 10)),  # early: nothing is lost
        (on(2027, 1, 10), on(2027, 1, 10), on(2027, 1, 10)),
        (on(2027, 2, 8), on(2027, 1, 10), on(2027, 1, 10)),  # in the grace: no gap
        (on(2027, 2, 9), on(2027, 2, 9), on(2027, 2, 9)),  # lapsed: nothing was given between
        (on(2028, 6, 1), on(2028, 6, 1), on(2027, 2, 9)),
    ],
)
def test_a_renewal_begins_where_the_term_ends_or_after_a_lapse_with_its_payment(
    paid_at: datetime, starts_at: datetime, grace_until: datetime
) -> None:
    found = placed(FIRST, Bought(2, paid_at, 12, 100_00))
    assert (found[2].starts_at, found[2].follows) == (starts_at, 1)
    assert found[1].grace_until == grace_until


def test_two_payments_buy_two_years() -> None:
    twice = [Bought(key, on(2026, 12, key), 12, 100_00) for key in (2, 3)]
    found = placed(FIRST, *twice)
    assert [found[key].ends_at.year for key in (1, 2, 3)] == [2027, 2028, 2029]


def test_a_cancelled_term_has_no_grace() -> None:
    cancelled = Bought(1, FIRST.paid_at, 12, 100_00, is_last=True)
    found = placed(cancelled, Bought(2, on(2027, 1, 20), 12, 100_00))
    assert found[2].starts_at == on(2027, 1, 20)


def test_money_that_went_back_moves_what_follows_and_leaves_no_grace() -> None:
    refunded = Bought(2, on(2026, 12, 1), 12, 100_00, is_void=True)
    alone = placed(FIRST, refunded)
    assert alone[1].grace_until == alone[1].ends_at
    again = placed(FIRST, refunded, Bought(3, on(2026, 12, 20), 12, 100_00))
    assert again[3].starts_at == on(2027, 1, 10)
    assert again[3].follows == 1


def test_an_upgrade_begins_at_once_and_what_is_left_becomes_days_of_it() -> None:
    half = on(2026, 1, 10) + (on(2027, 1, 10) - on(2026, 1, 10)) / 2
    found = placed(FIRST, Bought(2, half, 12, 200_00, upgrades=True))
    assert found[1].replaced_at == half
    assert found[2].starts_at == half
    assert found[2].ends_at == half.replace(year=2027) + 91 * DAY  # a quarter of its year


def test_an_upgrade_that_is_refunded_gives_back_what_ran_before() -> None:
    upgrade = Bought(2, on(2026, 5, 1), 12, 200_00, upgrades=True, is_void=True)
    assert placed(FIRST, upgrade)[1].replaced_at is None


def test_an_upgrade_takes_what_was_renewed_early_too() -> None:
    early = Bought(2, on(2026, 3, 1), 12, 100_00)
    upgrade = Bought(3, on(2026, 7, 11), 12, 400_00, upgrades=True)
    found = placed(FIRST, early, upgrade)
    assert found[2].replaced_at == found[2].starts_at
    assert left_of([(early, found[2])], upgrade.paid_at) == 100_00


def test_an_upgrade_of_what_is_over_is_a_renewal() -> None:
    found = placed(FIRST, Bought(2, on(2027, 1, 20), 12, 200_00, upgrades=True))
    assert (found[2].starts_at, found[1].replaced_at) == (on(2027, 1, 10), None)
