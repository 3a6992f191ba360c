"""The arithmetic of everything around the count: days, signatures, employers, rolls."""

from datetime import UTC, date, datetime, timedelta

import pytest

from governance.tally.rules import (
    Activity,
    AffiliationCap,
    BylawChange,
    CapShare,
    Consent,
    ConsentRule,
    Discussion,
    FilledBy,
    Membership,
    PassBase,
    Rules,
    Threshold,
    Vacancy,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_discussion_takes_its_days_and_an_accepted_amendment_begins_them_anew() -> None:
    accepted = [NOON + 3 * DAY, NOON + 2 * DAY]
    assert Discussion(days=7).vote_from(NOON, accepted) == NOON + 7 * DAY
    assert Discussion(days=7, restarts=True).vote_from(NOON, accepted) == NOON + 10 * DAY
    assert Discussion().vote_from(NOON) == NOON


def test_a_motion_lapses_after_idle_weeks_or_never() -> None:
    assert Discussion(lapses_after_weeks=2).lapses_at(NOON) == NOON + 14 * DAY
    assert Discussion().lapses_at(NOON) is None


SIGNATURES = [
    # consent, rules, seats, in office, signatures
    (Consent.NONE, Rules(), 7, 7, None),
    (Consent.UNANIMOUS, Rules(), 7, 5, 5),
    (Consent.UNANIMOUS, Rules(), 7, 0, 1),
    # 8 Del. C. § 228: as many as would be needed if all were present and voted.
    (Consent.AS_IF_PRESENT, Rules(), 100, 100, 51),
    (Consent.AS_IF_PRESENT, Rules(threshold=Threshold.SIMPLE), 9, 9, 5),
    (Consent.AS_IF_PRESENT, Rules(threshold=Threshold.TWO_THIRDS), 9, 9, 6),
    (Consent.AS_IF_PRESENT, Rules(threshold=Threshold.RATIO, ratio=3), 8, 8, 6),
    (Consent.AS_IF_PRESENT, Rules(threshold=Threshold.UNANIMOUS), 5, 5, 5),
    (Consent.AS_IF_PRESENT, Rules(minimum_yes=6), 7, 7, 6),
    (Consent.AS_IF_PRESENT, Rules(pass_base=PassBase.FIXED), 9, 5, 5),
    (Consent.AS_IF_PRESENT, Rules(pass_base=PassBase.FIXED), 12, 5, 6),  # out of reach
]


@pytest.mark.parametrize(("consent", "rules", "seats", "filled", "needed"), SIGNATURES)
def test_how_many_sign(
    consent: Consent, rules: Rules, seats: int, filled: int, needed: int | None
) -> None:
    assert ConsentRule(consent).signatures_needed(rules, seats=seats, filled=filled) == needed


def test_signatures_count_for_sixty_days_or_for_ever() -> None:
    assert ConsentRule().closes_at(NOON) == NOON + 60 * DAY
    assert ConsentRule(days=0).closes_at(NOON) is None


def test_a_change_of_bylaws_waits_for_notice_and_for_public_discussion() -> None:
    change = BylawChange(notice_days=10, public_discussion_days=30, effective_after_days=14)
    assert change.vote_from(NOON) == NOON + 30 * DAY
    assert change.vote_from(NOON, published=NOON - 25 * DAY) == NOON + 10 * DAY
    assert change.effective_on(date(2026, 12, 20)) == date(2027, 1, 3)


@pytest.mark.parametrize(
    ("share", "seats", "most"),
    [
        (CapShare.NONE, 0, [None, None, None, None]),
        (CapShare.NONE, 2, [2, 2, 2, 2]),
        (CapShare.QUARTER, 0, [1, 1, 2, 2]),
        (CapShare.THIRD, 0, [1, 2, 2, 3]),
        (CapShare.HALF, 0, [1, 3, 4, 4]),
        (CapShare.MINORITY, 0, [1, 3, 3, 4]),
        (CapShare.HALF, 2, [1, 2, 2, 2]),
    ],
)
def test_seats_of_one_employer(share: CapShare, seats: int, most: list[int | None]) -> None:
    """Of boards of one, seven, eight and nine: a share is rounded down, never below one."""
    cap = AffiliationCap(share, seats)
    assert [cap.most(board) for board in (1, 7, 8, 9)] == most


def test_a_vacancy_is_due_after_its_days() -> None:
    left = date(2026, 1, 31)
    assert Vacancy(days=30).due_on(left) == date(2026, 3, 2)
    assert Vacancy().due_on(left) is None
    assert Vacancy(FilledBy.NOBODY, days=30).due_on(left) is None


def test_the_record_date_lies_before_the_opening() -> None:
    assert Membership(record_days=14).record_date(date(2026, 3, 1)) == date(2026, 2, 15)


AFFIRMED = [
    # affirmed on, months, asked on, counts
    (date(2025, 3, 1), 12, date(2026, 2, 28), True),
    (date(2025, 3, 1), 12, date(2026, 3, 1), False),
    (date(2025, 8, 31), 6, date(2026, 2, 27), True),
    (date(2025, 8, 31), 6, date(2026, 2, 28), False),
    (date(2025, 12, 31), 1, date(2026, 1, 30), True),
    (None, 12, date(2026, 1, 1), False),
]


@pytest.mark.parametrize(("said", "months", "on", "counts"), AFFIRMED)
def test_an_affirmation_counts_for_its_months(
    said: date | None, months: int, on: date, counts: bool
) -> None:
    rules = Membership(activity=Activity.AFFIRMED, affirmation_months=months)
    assert rules.is_active(on, affirmed_on=said, voted_last=True) is counts


@pytest.mark.parametrize(
    ("activity", "active"),
    [
        (Activity.NONE, [True, True, True, True]),
        (Activity.AFFIRMED, [True, True, False, False]),
        (Activity.VOTED, [True, False, True, False]),
        (Activity.EITHER, [True, True, True, False]),
    ],
)
def test_who_is_on_the_roll(activity: Activity, active: list[bool]) -> None:
    on, rules = date(2026, 3, 1), Membership(activity=activity)
    said = [(on, True), (on, False), (None, True), (None, False)]
    found = [rules.is_active(on, affirmed_on=day, voted_last=voted) for day, voted in said]
    assert found == active
