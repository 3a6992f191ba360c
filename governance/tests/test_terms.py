"""How many terms in a row count, as a table."""

from datetime import date

import pytest

from governance.tally.terms import Held, Limit, add_months, terms_in_a_row

TWO_YEARS = Limit(terms=2, break_months=12, months=24)


def year(number: int) -> date:
    return date(number, 3, 1)


def held(*years: tuple[int, int]) -> list[Held]:
    return [Held(year(since), year(until)) for since, until in years]


@pytest.mark.parametrize(
    ("before", "since", "count"),
    [
        ([], 2026, 0),
        (held((2024, 2026)), 2026, 1),
        (held((2022, 2024), (2024, 2026)), 2026, 2),
        (held((2024, 2026), (2022, 2024)), 2026, 2),
        # a break of a year begins the count anew, one of eleven months does not
        (held((2022, 2024)), 2025, 0),
        ([Held(year(2022), date(2024, 4, 2))], 2025, 1),
        (held((2018, 2020), (2022, 2024), (2024, 2026)), 2026, 2),
        # who came in for half of a term or less has not held it
        ([Held(year(2025), year(2026))], 2026, 0),
        ([Held(date(2025, 2, 27), year(2026))], 2026, 1),
        ([Held(year(2025), year(2026)), *held((2026, 2028))], 2028, 1),
        # what comes later is not before
        (held((2028, 2030)), 2026, 0),
    ],
)
def test_terms_that_count(before: list[Held], since: int, count: int) -> None:
    assert terms_in_a_row(before, year(since), TWO_YEARS) == count


def test_without_a_length_every_term_counts_and_without_a_break_for_ever() -> None:
    short = [Held(date(2010, 1, 1), date(2010, 1, 9)), Held(date(2020, 1, 1), date(2020, 1, 9))]
    assert terms_in_a_row(short, year(2026), Limit(terms=1, break_months=0)) == 2


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        (date(2026, 3, 1), 24, date(2028, 3, 1)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
        (date(2026, 11, 30), 3, date(2027, 2, 28)),
        (date(2026, 12, 31), 0, date(2026, 12, 31)),
    ],
)
def test_months_later(day: date, months: int, later: date) -> None:
    assert add_months(day, months) == later
